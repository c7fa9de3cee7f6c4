import { describe, expect, it } from 'vitest'
import { createYamlReader } from '../../src/adapters/yaml-reader/yaml-reader.ts'
import type { RecordingFile } from '../../src/conversations/recording/recording-file.ts'
import { createFlowTests } from '../../src/tooling/flow-tests/test-draft.ts'
import { createReplays } from '../../src/tooling/replay/replay-request.ts'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { sampleNames, sampleRecording } from '../support/sample-recordings.ts'
import { createTestChat, type TestChatOptions } from '../support/start.ts'

interface Given extends TestChatOptions {
  readonly previewToken?: string
  readonly limitMs?: number
}

async function open({ previewToken, limitMs = 10_000, ...options }: Given = {}) {
  const chat = createTestChat([], options)
  const { app } = await buildTestApp({
    chat: chat.chat,
    replays: createReplays({ chat, limitMs }),
    flowTests: createFlowTests({ chat, yaml: createYamlReader(), limitMs }),
    config: { previewToken },
  })
  const post = async (url: string, payload: unknown, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'POST', url, payload: payload as object, headers })
    return { status: response.statusCode, body: response.json() }
  }
  return {
    post,
    replay: (payload: unknown, headers?: Record<string, string>) =>
      post('/v1/flows/replay', payload, headers),
    async record(flow: Json, ...said: string[]): Promise<RecordingFile> {
      const { body } = await post('/v1/flows/any/preview/startChat', { flow, record: true })
      for (const message of said) await post(`/v1/sessions/${body.sessionId}/continueChat`, { message })
      // Of no effect where nothing is due.
      await post(`/v1/sessions/${body.sessionId}/skipToTimer`, undefined)
      const url = `/v1/sessions/${body.sessionId}/recording`
      return (await app.inject({ method: 'GET', url })).json()
    },
  }
}

/** Whoever looks at its clock finds that a millisecond has passed. */
function portsOfSlowMachine() {
  let time = 0
  const elapsed = () => {
    time += 1
    return time
  }
  return { ...createTestChat().ports, elapsed }
}

const greets = (text: string) =>
  wholeDefinition({
    blocks: [textInput('ask', 'vName'), setVariable('s', 'vId', { type: 'Random ID' }), bubble('bye', text)],
    variables: [variable('Name'), variable('Id')],
  })
const flow = greets('Bye {{Name}}, {{Id}}')

const samples = sampleNames.map((name) => [name, sampleRecording(name)] as const)

describe('POST /v1/flows/replay', () => {
  it('says that a conversation is the same', async () => {
    const { replay, record } = await open()
    expect(await replay({ recording: await record(flow, 'Ada') })).toEqual({
      status: 200,
      body: { turns: 2, replayed: 2 },
    })
  })

  it.each(samples)('runs %s again, byte by byte', async (_name, recording) => {
    const { replay } = await open()
    const turns = recording.turns.length
    expect(await replay({ recording })).toEqual({ status: 200, body: { turns, replayed: turns } })
  })

  it('names the turn and the block where a changed flow does otherwise', async () => {
    const { replay, record } = await open()
    const recording = await record(flow, 'Ada')
    const { body } = await replay({ recording, flow: greets('Hello {{Name}}') })
    expect(body).toEqual({
      turns: 2,
      replayed: 2,
      divergence: {
        turn: 2,
        blockId: 'bye',
        description: expect.stringMatching(
          /^turn 2 diverges at block "bye" \(text\) .*: the response differs/,
        ),
      },
    })
  })

  it('makes tests that pass', async () => {
    const { replay, record, post } = await open()
    const recording = await record(flow, 'Ada')
    const { body } = await replay({ recording, asTest: true })
    expect(body.tests.tests[0].steps).toContainEqual({ says: 'Ada' })
    const tested = await post('/v1/flows/test', { flow, tests: body.tests })
    expect(tested.body.tests).toMatchObject([{ outcome: 'passed' }])
  })

  it('makes tests that join what was said in one window of replies', async () => {
    const { replay, record, post } = await open()
    const joining = { ...flow, settings: { general: { replyWindow: 'PT2S' } } }
    const { body } = await replay({ recording: await record(joining, 'I am', 'Ada'), asTest: true })
    expect(body.tests.tests[0].steps.slice(-4)).toMatchObject([
      { says: 'I am' },
      { says: 'Ada' },
      { sees: [expect.stringContaining('Bye I am\nAda')] },
      { asks: 'nothing' },
    ])
    const tested = await post('/v1/flows/test', { flow: joining, tests: body.tests })
    expect(tested.body.tests).toMatchObject([{ outcome: 'passed' }])
  })

  it('says why no test can stand for a recording', async () => {
    const { replay, record } = await open()
    const recording = await record(flow, 'Ada')
    const [start, next] = recording.turns
    const chosen = { ...start, request: { ...start?.request, isOnlyRegistering: true } }
    const { body } = await replay({ recording: { ...recording, turns: [chosen, next] }, asTest: true })
    expect(body).toMatchObject({ turns: 2, untestable: expect.stringMatching(/^turn 1 /) })
    expect(body).not.toHaveProperty('tests')
  })

  it('ends when its time is over', async () => {
    const { replay, record } = await open({ limitMs: 100, ports: portsOfSlowMachine() })
    const recording = await record(flow, 'Ada')
    const first = recording.turns[0]
    const starts = { ...recording, turns: Array.from({ length: 200 }, () => first) }
    expect((await replay({ recording: starts })).body).toMatchObject({ turns: 200, isCut: true })
  })

  it('is refused while too many others take long', async () => {
    const recording = await (await open()).record(flow, 'Ada')
    const { replay } = await open({ ports: portsOfSlowMachine(), heavyTurns: { admit: () => false } })
    expect((await replay({ recording })).status).toBe(503)
  })

  it('is held to the limits of previews, whatever the recording says', async () => {
    const { replay, record } = await open()
    const loop = wholeDefinition({
      groups: [{ id: 'g1', blocks: [{ ...bubble('b', 'again'), outgoingEdgeId: 'e' }] }],
      edges: [{ id: 'e', to: { groupId: 'g1' } }],
    })
    const recording = await record(loop)
    const { start } = recording
    const limits = Object.fromEntries(Object.keys(start.limits).map((name) => [name, 1e300]))
    expect(await replay({ recording: { ...recording, start: { ...start, limits } } })).toMatchObject({
      status: 200,
      body: { turns: 1 },
    })
  })

  it('needs the token of previews where there is one', async () => {
    const { record } = await open()
    const recording = await record(flow, 'Ada')
    const { replay } = await open({ previewToken: 'secret' })
    expect((await replay({ recording })).status).toBe(401)
    expect((await replay({ recording }, { authorization: 'Bearer secret' })).body).toEqual({
      turns: 2,
      replayed: 2,
    })
  })

  it.each<[name: string, change: (recording: RecordingFile) => unknown, pointer: string, message: RegExp]>([
    ['no recording', () => ({ a: 1 }), '/recording', /^is no recording/],
    [
      'one of another version',
      (recording) => ({ ...recording, format: 'flow-runtime recording 99' }),
      '/recording/format',
      /record the conversation again/,
    ],
    ['no turns', (recording) => ({ ...recording, turns: [] }), '/recording/turns', /./],
    [
      'many turns',
      (recording) => ({ ...recording, turns: Array.from({ length: 1001 }, () => recording.turns[0]) }),
      '/recording/turns',
      /1000/,
    ],
    [
      'a turn of another kind',
      (recording) => ({ ...recording, turns: [{ ...recording.turns[0], entry: 'look' }] }),
      '/recording/turns/0/entry',
      /./,
    ],
    [
      'no definition',
      (recording) => ({ ...recording, definitions: {} }),
      '/recording/definitions',
      /no flow/,
    ],
    [
      'a definition that is none',
      (recording) => ({ ...recording, definitions: { [recording.start.program]: { id: 'a', groups: 1 } } }),
      '/recording/definitions/',
      /array/,
    ],
  ])('refuses %s with its place', async (_name, change, pointer, message) => {
    const { replay, record } = await open()
    const { status, body } = await replay({ recording: change(await record(flow)) })
    expect([status, body.errors[0]]).toEqual([
      400,
      { pointer: expect.stringContaining(pointer), message: expect.stringMatching(message) },
    ])
  })

  it('refuses a changed flow that is none with its place', async () => {
    const { replay, record } = await open()
    const { status, body } = await replay({ recording: await record(flow), flow: { id: 'a', groups: 1 } })
    expect([status, body.errors[0].pointer]).toEqual([400, '/flow/groups'])
  })

  /** With effects of most kinds. */
  const rich = samples.filter(([name]) => /^(support-triage|opening-hours)-1/.test(name))
  const nonsense = [null, 0, 'x', [], {}, [[]], { $value: 'date', of: 'x' }, { $value: 'bigint', of: 'x' }]

  it.each(nonsense)('survives that everything was answered with %j', async (answer) => {
    const { replay } = await open()
    for (const [, recording] of rich) {
      const turns = recording.turns.map((turn) => ({
        ...turn,
        effects: turn.effects.map((effect) => ({ ...effect, answer })),
      }))
      for (const more of [{}, { asTest: true }, { flow: recording.definitions[recording.start.program] }])
        expect((await replay({ recording: { ...recording, turns }, ...more })).status).toBe(200)
    }
  })

  it.each(nonsense)('answers whatever it is sent in the place of what was recorded: %j', async (value) => {
    const { replay } = await open()
    for (const [, recording] of rich) {
      const objects = { request: { message: value, startFrom: value }, found: { queue: value } }
      const texts = { payload: JSON.stringify(value), response: JSON.stringify(value) }
      for (const placed of Object.entries({ ...objects, ...texts })) {
        const turns = recording.turns.map((turn) => ({ ...turn, ...Object.fromEntries([placed]) }))
        for (const more of [{}, { asTest: true }]) {
          const { status, body } = await replay({ recording: { ...recording, turns }, ...more })
          if (status !== 200) expect(body.errors[0].pointer).toMatch(/^\/recording\/turns\/\d+\//)
        }
      }
    }
  })
})
