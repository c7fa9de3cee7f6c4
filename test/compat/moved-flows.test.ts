import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anonymous } from '../../src/ports/caller.ts'
import { bubble } from '../fixtures/short-flows.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import type { Json } from '../support/json.ts'
import { sandbox } from '../support/sandbox.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'
import { forms, versions } from './old-forms.ts'

const item = (id: string, content: Json | string, outgoingEdgeId?: string) => ({
  id,
  content,
  ...(outgoingEdgeId !== undefined && { outgoingEdgeId }),
})

const nameIs = (value: string) => ({
  logicalOperator: 'AND',
  comparisons: [{ id: `is-${value}`, variableId: 'v1', comparisonOperator: 'Equal to', value }],
})

/** Asks, decides, refuses, goes into another flow and comes back, and jumps within itself. */
const asking = {
  version: '6.1',
  id: 'bot-1',
  name: 'Ask',
  publicId: 'ask',
  events: [{ id: 'start', type: 'start', graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: 'e1' }],
  groups: [
    {
      id: 'g1',
      title: 'Who',
      blocks: [
        bubble('b1', 'What is your name?'),
        { id: 'i1', type: 'text input', options: { variableId: 'v1', labels: { placeholder: 'Name' } } },
        {
          id: 'c1',
          type: 'Condition',
          items: [item('c1a', nameIs('Ada'), 'e2'), item('c1b', nameIs('Bob'))],
          outgoingEdgeId: 'e3',
        },
      ],
    },
    {
      id: 'g2',
      title: 'Known',
      blocks: [
        bubble('b2', 'Again, {{Name}}? {{= 2 * 3 =}}'),
        {
          id: 'i2',
          type: 'choice input',
          options: { variableId: 'v2' },
          items: [item('yes', 'Yes', 'e3'), item('no', 'No', 'e4'), item('maybe', 'Maybe')],
        },
      ],
    },
    {
      id: 'g3',
      title: 'Unknown',
      blocks: [
        {
          id: 's1',
          type: 'Set variable',
          options: { variableId: 'v3', expressionToEvaluate: '{{Name}} + "!"' },
        },
        { id: 'i3', type: 'number input', options: { variableId: 'v4', min: 1, max: 5 } },
        {
          id: 'l1',
          type: 'Flow link',
          options: { flowId: 'bot-2', groupId: 'h2', mergeResults: true },
        },
        bubble('b3', 'Back from {{City}} with {{Loud}} and {{Number}}'),
        { id: 'l2', type: 'Flow link', options: { flowId: 'current', groupId: 'g4' } },
      ],
    },
    {
      id: 'g4',
      title: 'End',
      blocks: [{ id: 'r1', type: 'rating input', options: { length: 3 } }, bubble('b4', 'Bye')],
    },
  ],
  edges: [
    { id: 'e1', from: { eventId: 'start' }, to: { groupId: 'g1' } },
    { id: 'e2', from: { blockId: 'c1', itemId: 'c1a' }, to: { groupId: 'g2', blockId: 'b2' } },
    { id: 'e3', from: { blockId: 'c1' }, to: { groupId: 'g3' } },
    { id: 'e4', from: { blockId: 'i2', itemId: 'no' }, to: { groupId: 'g4' } },
  ],
  variables: ['Name', 'Choice', 'Loud', 'Number', 'City'].map((name, index) => ({
    id: `v${index + 1}`,
    name,
  })),
  settings: { general: { isInputPrefillEnabled: true } },
  theme: { chat: { hostAvatar: { isEnabled: false } } },
}

const linked = {
  ...asking,
  id: 'bot-2',
  name: 'City',
  publicId: 'city',
  groups: [
    { id: 'h1', title: 'Not here', blocks: [bubble('x', 'Unreached')] },
    {
      id: 'h2',
      title: 'Here',
      blocks: [bubble('y', 'Which city?'), { id: 'z', type: 'text input', options: { variableId: 'w1' } }],
    },
  ],
  edges: [{ id: 'e1', from: { eventId: 'start' }, to: { groupId: 'h1' } }],
  variables: [{ id: 'w1', name: 'City' }],
}

/** What visitors say: to the end on each way through. */
const visits = [
  ['Ada', 'Yes', '7', '3', 'Rome', '2'],
  ['Ada', 'Nothing that is offered', 'No', '3'],
  ['Ada', 'Maybe'],
  ['Cy', '5', 'Oslo', '9', '1'],
  ['Bob'],
]

/** All that is answered on each way, but the version of the flow. */
async function play(flows: readonly Json[]): Promise<Json[][]> {
  const { chat } = createTestChat(flows, { sandbox })
  const heard: Json[][] = []
  for (const visit of visits) {
    const asked = { publicId: flows[0]?.['publicId'] ?? 'bot-1', origin: undefined, body: {} }
    const {
      flow: _flow,
      sessionId,
      resultId: _resultId,
      ...first
    } = parseWire(await chat.startPublished(asked as never))
    const answers = [first]
    for (const message of visit) {
      const goOn = { caller: anonymous, sessionId: String(sessionId), origin: undefined, body: { message } }
      answers.push(parseWire(await chat.continue(goOn)))
    }
    heard.push(answers)
  }
  return heard
}

async function importFlows(
  flows: readonly Json[],
): Promise<{ flows: Json[]; code: number | undefined; err: string }> {
  const [from, to] = [0, 0].map(() => mkdtempSync(join(tmpdir(), 'moved-'))) as [string, string]
  onTestFinished(() => {
    for (const folder of [from, to]) rmSync(folder, { recursive: true })
  })
  for (const [index, flow] of flows.entries())
    writeFileSync(join(from, `${index}.json`), JSON.stringify(flow))
  const { code, err } = await callCommandLine(['import', from, '--out', to])
  const read = (name: string) => JSON.parse(readFileSync(join(to, name), 'utf8')) as Json
  const written = readdirSync(to).map(read)
  return { flows: written.sort((a, b) => String(a['id']).localeCompare(String(b['id']))), code, err }
}

const twins = [asking, linked]

describe.each(Object.entries(versions))('a flow of version %s', (_version, inVersion) => {
  it.each(Object.entries(forms))('talks like its twin when it is imported from %s', async (_form, inForm) => {
    const { flows, code, err } = await importFlows(twins.map((flow) => inForm(inVersion(flow as never))))
    expect({ code, err: err.replaceAll(/^.*: (?:info|warning) at .*\n/gm, '') }).toEqual({ code: 0, err: '' })
    expect(JSON.stringify(flows)).not.toMatch(/typebot|null|folderId|"steps"|customDomain/i)
    expect(await play(flows)).toEqual(await play(twins))
  })
})

/** Versions that are read as they stand; those before are imported. */
const readable = ['none', '3', '4', '5', '6', '6.1']

describe.each(readable)('a flow of version %s', (version) => {
  it.each(Object.entries(forms).slice(0, 2))('talks like its twin as it is, as %s', async (_form, inForm) => {
    const flows = twins.map((flow) => inForm(versions[version]?.(flow as never) as Json))
    expect(await play(flows)).toEqual(await play(twins))
  })
})

it('the twins come to their ends', async () => {
  const ends = (await play(twins)).map((answers) => answers.at(-1))
  for (const end of ends) expect(end).not.toHaveProperty('input')
  expect(JSON.stringify(ends)).toContain('Bye')
})
