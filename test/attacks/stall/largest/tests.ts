import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row } from '../world.ts'
import { bubble, textInput, times, variable } from './flows.ts'

/** Tests of a draft, whose run is watched. */
const tested = (name: string, tests: () => unknown, flow: Json = loop): Row => ({
  name,
  prepare(world) {
    const made = { flow: wholeDefinition(flow), tests: tests() }
    return () => world.post('/v1/flows/test', made)
  },
})

/** A flow that is written in its other form. */
const converted = (name: string, body: Json): Row => ({
  name: `${name}, converted`,
  prepare: (world) => () => world.post('/v1/flows/convert', body),
})

const steps20k = `flow: f\ngroups:\n  A:\n${'    - Hello {{T}}\n'.repeat(20_000)}`

const loop: Json = {
  groups: [
    {
      id: 'g1',
      blocks: [bubble('b', '{{T}}'.repeat(200)), { ...textInput('i', 'vT'), outgoingEdgeId: 'e' }],
    },
  ],
  edges: [{ id: 'e', to: { groupId: 'g1' } }],
  variables: [variable('T')],
}

const shown = { blocks: times(400, (nth) => bubble(`b${nth}`, 'a'.repeat(9_000))) }

const steps = (made: readonly Json[]) => ({ tests: [{ name: 'a test', steps: made }] })

/** A recording that somebody made up, which is run again. */
const replayed = (name: string, make: (recording: Json) => Json): Row => ({
  name,
  async prepare(world) {
    const sessionId = await world.preview(wholeDefinition(loop), { record: true })
    for (let turn = 0; turn < 100; turn++) await world.say(sessionId, 'x'.repeat(10))
    const recording = await world.read(`/v1/sessions/${sessionId}/recording`)
    return () => world.post('/v1/flows/replay', make(recording))
  },
})

/** A recording with another second turn. */
const withSecond = (recording: Json, more: Json): Json => {
  const [start, next] = recording['turns'] as [Json, Json]
  return { ...recording, turns: [start, { ...next, ...more }] }
}

const effects = (count: number, answer: unknown) =>
  times(count, () => ({ type: 'id', key: 'k', answer, blocks: 0 }))

export const tests: readonly Row[] = [
  tested('tests', () => ({
    tests: times(500, (nth) => ({
      name: `test ${nth}`,
      steps: times(200, () => ({ says: 'x'.repeat(100) })),
    })),
  })),
  tested('ways', () => ({
    tests: [
      {
        name: 'all',
        explore: { depth: 100, says: { 'text input': times(20, (nth) => `${nth}`.repeat(4_000)) } },
      },
    ],
  })),
  tested('patterns', () => steps([{ sees: times(400, () => `/(a{1,20}|b){1,${20}}a*/`) }]), shown),
  tested('texts with gaps', () => steps([{ sees: times(400, () => 'a…'.repeat(4_000)) }]), shown),
  replayed('turns of a recording', (recording) => ({ recording })),
  replayed('a recording that is run with another flow', (recording) => ({
    recording,
    flow: wholeDefinition(loop),
  })),
  replayed('a recording that is made a test', (recording) => ({ recording, asTest: true })),
  replayed('answers of a recording', (recording) => ({
    recording: withSecond(recording, { effects: effects(19_000, 'x') }),
    flow: wholeDefinition(loop),
  })),
  replayed('a recorded response', (recording) => ({
    recording: withSecond(recording, { response: `[${'[],'.repeat(300_000)}1]` }),
  })),
  tested('a text of YAML', () => `{${times(20_000, (nth) => `k${nth}`).join(',')}}`),
  converted('a flow in YAML', { source: steps20k, to: 'json' }),
  converted('a text that is no flow', {
    source: `{${times(40_000, (nth) => `k${nth}`).join(',')}}`,
    to: 'json',
  }),
  converted('a flow in JSON', {
    source: JSON.stringify(
      wholeDefinition({ blocks: times(8_000, (nth) => bubble(`b${nth}`, 'a *b* [c]')) }),
    ),
    to: 'yaml',
  }),
  tested('rules', () => ({
    http: times(100, () => ({ reply: { text: 'x'.repeat(500) } })),
    ...steps([{ asks: 'text input' }]),
  })),
]
