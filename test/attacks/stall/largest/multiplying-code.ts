import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row } from '../world.ts'
import { bubble, computes, started, startedWith, textInput, times, variable } from './flows.ts'

/** A few lines in which each list holds the one before eight times: some hundred characters, and 8 ** levels elements. */
function sharing(levels: number, innermost: string, result = `a${levels}`): string {
  const held = (nth: number) => times(8, () => `a${nth}`).join(',')
  const lines = times(levels, (nth) => `const a${nth + 1}=[${held(nth)}];`)
  return `const a0=${innermost};${lines.join('')}return ${result}`
}

/** The places of a draft where code may stand that the service evaluates. */
const places: Readonly<Record<string, (code: string) => Json>> = {
  'an assignment': (code) => ({ blocks: [computes(code)] }),
  'a script': (content) => ({
    blocks: [{ id: 'c', type: 'Code', options: { content, isExecutedOnClient: false } }],
  }),
  'a text': (code) => ({ blocks: [bubble('b', `{{= ${code} =}}`)] }),
  'the theme': (code) => ({ blocks: [], theme: { customCss: `{{= ${code} =}}` } }),
  'a condition': (code) => {
    const comparison = { id: 'q', variableId: 'vT', comparisonOperator: 'Equal to', value: `{{= ${code} =}}` }
    return {
      blocks: [{ id: 'c', type: 'Condition', items: [{ id: 'i', content: { comparisons: [comparison] } }] }],
    }
  },
}

const draftWith = (place: string, code: string): Json => {
  const { blocks, ...rest } = places[place]!(code)
  return {
    id: 'draft',
    ...rest,
    blocks: [...(blocks as Json[]), textInput('last')],
    variables: [variable('T')],
  }
}

/** A recording of a loop, run again with other blocks in front. */
const replayedWith = (name: string, code: string): Row => ({
  name,
  async prepare(world) {
    const recorded = wholeDefinition({ id: 'draft', blocks: [textInput('last')], variables: [variable('T')] })
    const sessionId = await world.preview(recorded, { record: true })
    await world.say(sessionId, 'x')
    const recording = await world.read(`/v1/sessions/${sessionId}/recording`)
    const body = { recording, flow: wholeDefinition(draftWith('an assignment', code)) }
    return () => world.post('/v1/flows/replay', body)
  },
})

const thousand = () => ({ L: times(1_000, String), W: [] })

/** Characters that cost little to write, and much to run if nothing counts them. */
const dearWays: Readonly<Record<string, string>> = {
  'functions that are made': `{{L}}.map(x => {{L}}.map(z => {{W}}.map(y => {${';'.repeat(400)}})))`,
  'names that are declared': `{{L}}.map(a => {{L}}.map(b => {let ${times(200, (nth) => `p${nth}`).join()}; return 1}))`,
  'parameters that are given': `{{L}}.map(a => {{L}}.map((${times(200, (nth) => `p${nth}`).join()}) => 1))`,
  'blocks in blocks': `{{L}}.map(a => {{L}}.map(x => ${'{'.repeat(50)}return x${'}'.repeat(50)}))`,
  'texts of nothing': `{{L}}.map(a => {{L}}.map(b => \`${'${""}'.repeat(80)}\`))`,
  'a search in every element': '{{L}}.map(a => {{L}}.map(b => {{L}}.some(c => c > a + b)))',
  'lists of lists as JSON':
    'const l=("a,".repeat(240)).split(",");const z=l.map(x=>[]);const y=l.map(x=>z);const w=l.map(x=>y);return JSON.stringify(w).length',
}

/** Code of a kilobyte that would go on for hours. */
export const multiplyingCode: readonly Row[] = [
  ...['[]', '{}', 'undefined', '""'].flatMap((innermost) =>
    [7, 8, 9, 22].map((levels) =>
      started(`${levels} levels of ${innermost} in an assignment`, () =>
        draftWith('an assignment', sharing(levels, innermost)),
      ),
    ),
  ),
  ...Object.keys(places)
    .slice(1)
    .flatMap((place) =>
      [9, 22].map((levels) =>
        started(`${levels} levels of [] in ${place}`, () => draftWith(place, sharing(levels, '[]'))),
      ),
    ),
  started('22 levels as JSON', () =>
    draftWith('an assignment', sharing(22, '[]', 'JSON.stringify(a22).length')),
  ),
  started('22 levels as a text', () => draftWith('an assignment', sharing(22, '""', '"" + a22'))),
  replayedWith('22 levels of [] in a recording', sharing(22, '[]')),
  ...Object.entries(dearWays).map(([name, code]) => startedWith(name, [computes(code)], thousand)),
  ...Object.entries({
    'a list that is written again and again': `[${times(100, () => '{{L}}').join()}]`,
    'a list in many pieces of a text': times(40, () => '{{L}}.join() + {{L}}').join(' + '),
  }).map(([name, code]) => startedWith(name, [computes(code)], () => ({ L: times(12_000, String) }))),
  startedWith(
    'many short pieces of code in one text',
    [bubble('b', times(500, (nth) => `{{= ({{V}} + ${nth}).length =}}`).join(' '))],
    () => ({ V: 'x'.repeat(10_000) }),
  ),
]
