import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { compileFlow } from '../../src/engine/compile/compile-flow.ts'
import { shownTexts } from '../../src/engine/compile/localise-flow.ts'
import { estimateProgramBytes } from '../../src/engine/compile/program-size.ts'
import { type Program, programIn } from '../../src/engine/model/program.ts'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { usedHeap } from '../stores/used-heap.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

const list = <Item>(length: number, make: (nth: number) => Item) =>
  Array.from({ length }, (_, nth) => make(nth))

const blocks = (length: number, make: (id: string) => Json) =>
  wholeDefinition({ blocks: list(length, (nth) => make(`b${nth}`)), variables: [variable('A')] })

/** Flows that are mostly one thing, since what each takes differs most. */
const definitions: Readonly<Record<string, Json>> = {
  'inputs with defaults': blocks(2_000, (id) => textInput(id)),
  'short bubbles': blocks(1_500, (id) => bubble(id, 'Hi')),
  'long bubbles': blocks(20, (id) => bubble(id, 'Hello there. '.repeat(2_000))),
  placeholders: blocks(20, (id) => bubble(id, '{{A}}'.repeat(1_000))),
  'placeholders of unknown names': blocks(20, (id) =>
    bubble(id, list(1_000, (nth) => `{{n${nth}}}`).join('')),
  ),
  'inline code': blocks(100, (id) => bubble(id, '{{=A=}}'.repeat(200))),
  expressions: blocks(800, (id) => setVariable(id, 'vA', { expressionToEvaluate: '{{A}} + 1 + 2 + 3' })),
  'items to choose from': blocks(300, (id) => ({
    id,
    type: 'choice input',
    items: list(20, (nth) => ({ id: `${id}-${nth}`, content: `Choice ${nth}` })),
  })),
  'groups and edges': wholeDefinition({
    groups: list(1_200, (nth) => ({
      id: `g${nth}`,
      title: `Group ${nth}`,
      blocks: [{ ...textInput(`b${nth}`), outgoingEdgeId: `e${nth}` }],
    })),
    edges: list(1_200, (nth) => ({
      id: `e${nth}`,
      from: { blockId: `b${nth}` },
      to: { groupId: `g${nth + 1}` },
    })),
  }),
  variables: wholeDefinition({ blocks: [], variables: list(4_000, (nth) => variable(`N${nth}`)) }),
  'plain lines': blocks(4, (id) => ({ id, type: 'text', content: 'a\n'.repeat(5_000) })),
  'plain lines of placeholders': blocks(10, (id) => ({ id, type: 'text', content: '{{A}}\n'.repeat(2_000) })),
  markdown: blocks(40, (id) => ({ id, type: 'text', content: { markdown: 'a\n\n'.repeat(100) } })),
  'markdown of marks': blocks(10, (id) => ({
    id,
    type: 'text',
    content: { markdown: '**a** b '.repeat(300) },
  })),
  'empty objects': blocks(1, (id) => ({
    id,
    type: 'text',
    content: { richText: list(15_000, () => ({})) },
  })),
}

/** Makes all that a program makes when it needs it. */
function prepareAll({ blocks: all, groups, edges }: Program): void {
  for (const { id, compiled, edgeId, group } of all.values()) {
    if (compiled === undefined) throw new Error(`${id} was not prepared`)
    if (edgeId !== undefined) edges.get(edgeId)
    groups.get(group.id)?.find(id)
  }
}

const copies = 4

/** What programs of a text really take, and one of them. */
function measure(text: string, locale?: string): { used: number; program: Program } {
  const make = () => {
    const program = compileFlow(readDefinition(JSON.parse(text)), blockRegistry, 'hash')
    prepareAll(program)
    if (locale !== undefined) prepareAll(programIn(locale, program))
    return program
  }
  make()
  const before = usedHeap()
  const programs = list(copies, make)
  return { used: (usedHeap() - before) / copies, program: programs[0] as Program }
}

describe('what a program takes up', () => {
  it.each(Object.entries(definitions))('is not more than estimated, of %s', (_name, definition) => {
    const text = JSON.stringify(definition)
    const { used, program } = measure(text)
    const estimated = estimateProgramBytes(text) + program.footprint.bytes
    expect(estimated).toBeGreaterThan(used)
    // Too much would be as bad: what is kept compiled is what need not be compiled again.
    expect(estimated).toBeLessThan(12 * used)
  })

  it.each(Object.entries(definitions))(
    'is not more than estimated in two languages, of %s',
    (_name, definition) => {
      const keys = [...shownTexts(readDefinition(definition))].map(({ key }) => key)
      const localizations = { fr: Object.fromEntries(keys.map((key) => [key, 'Bonjour {{A}} '.repeat(5)])) }
      const text = JSON.stringify({ ...definition, localizations })
      const { used, program } = measure(text, 'fr')
      expect(estimateProgramBytes(text) + program.footprint.bytes).toBeGreaterThan(used)
    },
  )
})
