import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Value } from '../src/engine/values/value.ts'
import { annsValues } from './engine/javascript/code-world.ts'
import { setVariable } from './fixtures/short-flows.ts'
import { comparedWith, comparisons } from './fixtures/tables/comparisons.ts'
import {
  comparisonsElsewhere,
  type Elsewhere,
  expressionsElsewhere,
  guessesElsewhere,
  placeholdersElsewhere,
} from './fixtures/tables/elsewhere.ts'
import {
  evaluated,
  evaluatedInSandbox,
  expressionValues,
  takenForText,
} from './fixtures/tables/expressions.ts'
import { keptAsText, readAsOthers } from './fixtures/tables/guesses.ts'
import { inlineCode, inlineCodeInSandbox, placeholders } from './fixtures/tables/placeholders.ts'
import { writtenObjects, writtenValues } from './fixtures/tables/written-values.ts'
import { converse, declare, logsOf, messagesOf, shownText, writtenValue } from './support/converse.ts'
import type { Json } from './support/json.ts'

describe('a placeholder in a text of a flow', () => {
  const values = { ...annsValues, Unset: undefined, Empty: [] }

  it.each([...placeholders, ...inlineCode, ...inlineCodeInSandbox])('%j reads %j', async (text, rendered) => {
    expect(await shownText(text, values)).toBe(rendered)
  })
})

describe('an expression of a flow', () => {
  // Null that is declared is a value to code.
  const values = { ...expressionValues, Unset: undefined }
  const rows = [...evaluated, ...evaluatedInSandbox, ...takenForText]

  it.each(rows)('%s leaves %j', async (expressionToEvaluate, value) => {
    const options = { variableId: 'vT', ...(expressionToEvaluate !== undefined && { expressionToEvaluate }) }
    expect(await writtenValue([{ id: 's', type: 'Set variable', options }], values)).toEqual(value)
  })
})

describe('a value that enters code', () => {
  const described = '(v) => (v === null ? "null" : typeof v) + " " + v'
  /** Statements that only the sandbox runs. */
  const inSandbox = `try { return (${described})({{V}}) } finally {}`
  const inEngine = '({{V}} === null ? "null" : typeof {{V}}) + " " + {{V}}'

  const describeSeen = (value: unknown) => `${value === null ? 'null' : typeof value} ${String(value)}`

  async function seenOf(stored: Value, expression: string) {
    const empties =
      stored === null ? [{ id: 'e', type: 'Set variable', options: { variableId: 'vV', type: 'Empty' } }] : []
    return writtenValue([...empties, setVariable('s', 'vT', expression)], { V: stored })
  }

  const texts = keptAsText.filter((text) => text !== '')
  const rows = [...readAsOthers, ...texts.map((text): [Value, unknown] => [text, text])]

  it.each(rows)('%j is seen as %j, in the engine as in the sandbox', async (stored, seen) => {
    expect(await seenOf(stored, inEngine)).toBe(describeSeen(seen))
    expect(await seenOf(stored, inSandbox)).toBe(describeSeen(seen))
  })

  it('is undefined where none is declared', async () => {
    const blocks = [setVariable('s', 'vT', inEngine), setVariable('r', 'vU', inSandbox)]
    const { values } = await converse({ variables: declare({ V: undefined, T: null, U: null }), blocks })
    expect(await values()).toEqual({ T: 'undefined undefined', U: 'undefined undefined' })
  })

  it('is a list of texts where a list is stored', async () => {
    expect(await seenOf(['1', 'true', null], 'JSON.stringify({{V}})')).toBe('["1","true",null]')
  })
})

describe('what code yields, written to a variable', () => {
  type Row = (typeof writtenValues)[number]
  const holdsItself = ([given]: Row) =>
    given === Object(given) && Object.values(given as Json).includes(given)
  const write = (code: string) => writtenValue([setVariable('s', 'vT', code)])

  it.each([...writtenValues, ...writtenObjects].filter((row) => !holdsItself(row)))(
    '%o is kept as %j',
    async (_given, kept, code) => {
      expect(await write(code)).toEqual(kept)
    },
  )

  // The sandbox hands out nothing that holds itself: the code has failed, and is kept as a text.
  it.fails.each(writtenObjects.filter(holdsItself))('%o is kept as %j', async (_given, kept, code) => {
    expect(await write(code)).toEqual(kept)
  })
})

describe('a condition of a flow', () => {
  async function decide(L: Value, content: Json): Promise<boolean> {
    const item = { id: 'q', content, outgoingEdgeId: 'e' }
    const { first } = await converse({
      variables: declare({ L, ...comparedWith }),
      groups: [
        { id: 'g1', title: 'A', blocks: [{ id: 'c', type: 'Condition', items: [item] }] },
        { id: 'g2', title: 'B', blocks: [{ id: 'm', type: 'image', content: { url: 'holds' } }] },
      ],
      edges: [{ id: 'e', to: { groupId: 'g2' } }],
    })
    return messagesOf(first).length === 1
  }

  it.each(Object.values(comparisons).flat())('%j %s %j: %s', async (L, comparisonOperator, value, holds) => {
    const comparison = {
      id: 'q',
      variableId: 'vL',
      comparisonOperator,
      ...(value !== undefined && { value }),
    }
    expect(await decide(L, { comparisons: [comparison] })).toBe(holds)
  })

  const isAdult = { id: 'a', variableId: 'vL', comparisonOperator: 'Greater or equal to', value: '18' }
  const isFrench = { id: 'f', variableId: 'vL', comparisonOperator: 'Equal to', value: 'FR' }
  it.each([
    [{ logicalOperator: 'AND', comparisons: [isAdult, isFrench] }, false],
    [{ logicalOperator: 'OR', comparisons: [isAdult, isFrench] }, true],
    [{ logicalOperator: 'OR', comparisons: [] }, false],
  ])('%j: %s', async (content, holds) => {
    expect(await decide('20', content)).toBe(holds)
  })

  it('with a pattern that is none goes on, with a log', async () => {
    const comparisons = [
      { id: 'q', variableId: 'vL', comparisonOperator: 'Does not match regex', value: '/(/' },
    ]
    const condition = { id: 'c', type: 'Condition', items: [{ id: 'q', content: { comparisons } }] }
    const { first } = await converse({ variables: declare({ L: 'hello' }), blocks: [condition] })
    expect(logsOf(first)).toMatchObject([{ status: 'error' }])
  })
})

const readRow = ([L, operator, value]: readonly unknown[]) =>
  `${JSON.stringify(L)} ${String(operator)} ${JSON.stringify(value)}`

/** What is here for whatever has another value elsewhere. */
const tables: [about: string, elsewhere: readonly Elsewhere[], here: ReadonlyMap<unknown, unknown>][] = [
  ['placeholders', placeholdersElsewhere, new Map(inlineCode)],
  ['expressions', expressionsElsewhere, new Map<unknown, unknown>(evaluated)],
  ['values in code', guessesElsewhere, new Map(keptAsText.map((text) => [text, text]))],
  [
    'conditions',
    comparisonsElsewhere,
    new Map(Object.values(comparisons).flatMap((rows) => rows.map((row) => [readRow(row), row[3]]))),
  ],
]

describe.each(tables)('where %s are otherwise elsewhere', (_about, elsewhere, here) => {
  const folder = join(import.meta.dirname, '../docs/behaviour')
  const docs = readdirSync(folder)
    .map((page) => readFileSync(join(folder, page), 'utf8'))
    .join('\n')

  it.each(elsewhere)('$given is not $value, since $because', ({ given, value, decided }) => {
    expect([...here.keys()]).toContain(given)
    expect(here.get(given)).not.toEqual(value)
    expect(docs.includes(`\n| ${decided} |`) || docs.includes(`\n## ${decided}\n`)).toBe(true)
  })
})
