import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { anonymous } from '../../src/ports/caller.ts'
import type { HttpClient } from '../../src/ports/http-client-port.ts'
import { bubble, modelQuestion, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { nowhere } from '../support/nowhere.ts'
import { previewRequest, trusted } from '../support/preview-request.ts'
import { writeSampleRecordings } from '../support/sample-recordings.ts'
import { createTestChat } from '../support/start.ts'

const recordings = writeSampleRecordings()
afterAll(() => rmSync(recordings, { recursive: true }))
const one = join(recordings, 'support-triage-1.recording.json')
const flow = join(import.meta.dirname, '../../flows/opening-hours.json')

const replay = (...args: string[]) => callCommandLine(['replay', ...args])

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A recording in which the first of these texts stands as the second. */
function changedRecording(from: RegExp, to: string): string {
  const path = join(emptyFolder(), 'changed.recording.json')
  writeFileSync(path, readFileSync(one, 'utf8').replace(from, to))
  return path
}

describe('flow-runtime replay', () => {
  it('exits with 0 where every conversation of a folder is the same', async () => {
    const { code, out } = await replay(recordings)
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, '14 recordings: 0 diverged'])
  })

  it('exits with 1, and names turn and block, where one parts', async () => {
    const path = changedRecording(/("type": "Condition",[^}]*?"id": ")/, '$1other-')
    const diverged = await replay(one, '--flow', flow)
    expect(diverged.code).toBe(1)
    expect(diverged.out).toMatch(
      /^diverged {2}.*support-triage-1\.recording\.json: turn 1 diverges .*: the walk went to "/,
    )
    const { code, out } = await replay(path, '--format', 'json', '--flow', flow)
    expect([code, JSON.parse(out).files[0].divergence.turn]).toEqual([1, 1])
  })

  it.each([
    ['no recording', [flow], /opening-hours\.json: the file is no recording: .*GET \/v1\/sessions/],
    ['no file', [join(recordings, 'gone.json')], /gone\.json can not be read/],
    ['nothing named', [], /A recording or a folder of recordings has to be named/],
    ['an unknown format', [one, '--format', 'xml'], /--format "xml" is none of pretty, json/],
    [
      'a flow that is none',
      [one, '--flow', one],
      /--flow .*support-triage-1\.recording\.json:1:1 must have required property 'id'/,
    ],
  ])('exits with 2 for %s, in one line', async (_, args, expected) => {
    const { code, err } = await replay(...args)
    expect(code).toBe(2)
    expect(err).toMatch(expected)
    expect(err.trimEnd().split('\n')).toHaveLength(2)
  })

  it.each([
    [
      'another format',
      /recording 1"/,
      'recording 9"',
      /\/format is "flow-runtime recording 9".*record the conversation again/,
    ],
    ['a broken file', /^\{/, '{{', /the file is no recording: it is not valid JSON/],
    ['a turn without blocks', /"blocks": \[/, '"parts": [', /\/turns\/0.*blocks/],
    [
      'a session that is none',
      /"entry": "continue",/,
      '"entry": "continue", "found": { "state": "waiting", "queue": [[]] },',
      /\/turns\/1\/found\/queue\/0 must be object/,
    ],
    [
      'a session in a flow that is not there',
      /"entry": "continue",/,
      '"entry": "continue", "found": { "state": "waiting", "queue": [{ "program": "x", "flowId": "f", "variables": [], "answers": [] }] },',
      /\/turns\/1\/found\/queue\/0\/program names no flow in \/definitions/,
    ],
    ['a file without its flow', /"definitions": \{\s*"/, '"definitions": {"x', /\/definitions has no flow/],
  ])('exits with 2 for %s, and says where', async (_, from, to, expected) => {
    const { code, err } = await replay(changedRecording(from, to))
    expect(code).toBe(2)
    expect(err).toMatch(expected)
  })
})

/** What the world answers that the recorded flow asks. */
const http = {
  ...nowhere.http,
  send: async ({ url }) => {
    const message = { role: 'assistant', content: 'We are open.' }
    const usage = { prompt_tokens: 31, completion_tokens: 4 }
    const answer = url.includes('models.example')
      ? { choices: [{ message }], usage }
      : { state: 'shipped', of: url.split('?')[0] }
    return { kind: 'response', status: 200, text: JSON.stringify(answer) }
  },
} as HttpClient

const asking = wholeDefinition({
  variables: ['Order', 'State', 'Said', 'Id', 'Ref', 'Day', 'Lot'].map((name) => variable(name)),
  blocks: [
    textInput('i1', 'vOrder'),
    setVariable('s1', 'vId', { type: 'Random ID' }),
    setVariable('s0', 'vRef', { type: 'Result ID' }),
    {
      id: 'r1',
      type: 'Webhook',
      options: {
        webhook: { url: 'https://shop.example/{{Order}}/{{Ref}}/{{Id}}?token=hush', method: 'GET' },
        responseVariableMapping: [{ id: 'm', variableId: 'vState', bodyPath: 'data.state' }],
      },
    },
    {
      id: 'm1',
      type: 'openai',
      options: modelQuestion('Are you open?', 'vSaid', { credentialsId: 'c1', model: 'tiny' }),
    },
    setVariable('s2', 'vDay', { type: 'Today' }),
    {
      id: 'ab',
      type: 'AB test',
      options: { aPercent: 50 },
      items: [
        { id: 'a', path: 'a' },
        { id: 'b', path: 'b' },
      ],
    },
    bubble('b1', '{{State}}, {{Said}}, {{Day}}'),
    textInput('i2', 'vOrder'),
    bubble('b2', '/pattern/'),
  ],
})

/** Of a result, or drawn in the place of one. */
const drawnId = 'Zx81Qm44Lp07Rt'

async function recordAsking(kind: 'live' | 'preview' = 'live'): Promise<string> {
  const { chat } = createTestChat([asking], {
    http,
    ports: {
      ...fixedPorts({ random: [0.7] }),
      createId: (purpose) => (purpose === 'session' ? 'session-1' : drawnId),
    },
    recordings: { maxLength: 100_000, live: { share: 1, isForErrors: false } },
    credentials: {
      ...nowhere.credentials,
      model: () => ({ apiKey: 'k', baseUrl: 'https://models.example/v1' }),
    },
  })
  if (kind === 'live') await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
  else await chat.startPreview(previewRequest({ flow: asking, record: true }, trusted))
  for (const message of ['NW-1', 'Bye'])
    await chat.continue({ caller: anonymous, sessionId: 'session-1', origin: undefined, body: { message } })
  if (kind === 'preview')
    return JSON.stringify(await chat.recording({ sessionId: 'session-1', caller: trusted }))
  return JSON.stringify(await chat.resultRecording({ publicId: 'flow-1', resultId: drawnId }))
}

describe('flow-runtime replay --as-test', () => {
  const made = (folder: string) => join(folder, 'made.flowtest.yaml')
  const runTests = (folder: string) => callCommandLine(['test', made(folder)])

  it.each(readdirSync(recordings))('makes a test of %s, which passes', async (name) => {
    const folder = emptyFolder()
    const { code, err } = await replay(join(recordings, name), '--as-test', made(folder))
    expect([code, err]).toEqual([0, ''])
    expect(await runTests(folder)).toMatchObject({ code: 0 })
  })

  it.each([
    ['live', '*'],
    ['preview', 'value-1'],
  ] as const)(
    'has requests, models, time, chance and ids of a %s session as mocks, and no secret',
    async (kind, id) => {
      const folder = emptyFolder()
      const recording = join(folder, 'asking.recording.json')
      writeFileSync(recording, await recordAsking(kind))
      expect(await replay(recording, '--as-test', made(folder))).toMatchObject({ code: 0, err: '' })
      const text = readFileSync(made(folder), 'utf8')
      for (const part of [
        `shop.example/NW-1/${id}/`,
        'shipped',
        'We are open.',
        'clock: ',
        'random:',
        'input: 31',
      ])
        expect(text).toContain(part)
      expect(text).not.toContain('hush')
      expect(text.includes(drawnId)).toBe(kind === 'live')
      expect(await runTests(folder)).toMatchObject({ code: 0 })
      writeFileSync(made(folder), text.replace('shipped, We', 'lost, We'))
      const { code, out } = await runTests(folder)
      expect([code, out]).toEqual([1, expect.stringContaining('sees: expected "lost, We are open.')])
    },
  )

  it('leaves a flow alone that is another, and names the turn that a test has no words for', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'support-triage.json'), '{}')
    const { code, err } = await replay(one, '--as-test', made(folder))
    expect([code, err]).toEqual([2, expect.stringContaining('name the flow with --flow')])
    const recording = JSON.parse(await recordAsking()) as { turns: Json[] }
    recording.turns[0]!['request'] = { startFrom: { type: 'group', groupId: 'g1' } }
    const path = join(folder, 'chosen.recording.json')
    writeFileSync(path, JSON.stringify(recording))
    const refused = await replay(path, '--as-test', made(folder))
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('turn 1 ')])
  })
})
