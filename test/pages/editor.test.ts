import { describe, expect, it } from 'vitest'
import { completeFlow, type Schema } from '../../pages/try/editor/complete-flow.ts'
import { findSyntaxErrors } from '../../pages/try/editor/syntax-errors.ts'
import { FlowDefinition } from '../../schemas/flow.ts'

/** What is proposed where `|` stands. */
function proposalsAt(marked: string) {
  const offset = marked.indexOf('|')
  return completeFlow(marked.replace('|', ''), offset, FlowDefinition as Schema)
}

/** The text after the proposal of that name was taken where `|` stands. */
function take(marked: string, label: string): string | undefined {
  const found = proposalsAt(marked)
  const chosen = found?.options.find((option) => option.label === label)
  const text = marked.replace('|', '')
  return found && chosen && text.slice(0, found.from) + chosen.apply + text.slice(found.to)
}

const inBlock = (block: string) => `{"id":"f","groups":[{"id":"g","title":"Hello","blocks":[${block}]}],
  "edges":[{"id":"e-1","to":{"groupId":"g"}}],"variables":[{"id":"v-1","name":"Age"}]}`

describe('completion of a flow', () => {
  it.each([
    ['a key', '{"id":"f",|}', 'groups', '{"id":"f","groups": }'],
    ['a key of which a part is typed', '{"id":"f","gr|"}', 'groups', '{"id":"f","groups": }'],
    ['a key without quotes', '{"id":"f",gr|}', 'groups', '{"id":"f","groups": }'],
    ['a key that has its value', '{"gr|":[]}', 'groups', '{"groups":[]}'],
    ['a word', '{"version":|}', '6.1', '{"version":"6.1"}'],
    ['a word in quotes', '{"version":"|"}', '6.1', '{"version":"6.1"}'],
    ['a word whose quote is open', '{"version":"6|\n}', '6.1', '{"version":"6.1"\n}'],
    ['a truth value', '{"isClosed": |}', 'true', '{"isClosed": true}'],
    ['a type of blocks', inBlock('{"type":"|"}'), 'text input', inBlock('{"type":"text input"}')],
    ['another type of block', inBlock('{"type":"te|xt"}'), 'image', inBlock('{"type":"image"}')],
    [
      'a key of a block',
      inBlock('{"type":"text input",|}'),
      'options',
      inBlock('{"type":"text input","options": }'),
    ],
    [
      'an edge',
      inBlock('{"type":"text","outgoingEdgeId":"|"}'),
      'e-1',
      inBlock('{"type":"text","outgoingEdgeId":"e-1"}'),
    ],
    [
      'a variable',
      inBlock('{"type":"text input","options":{"variableId":|}}'),
      'v-1',
      inBlock('{"type":"text input","options":{"variableId":"v-1"}}'),
    ],
  ])('proposes %s', (_what, marked, label, expected) => {
    expect(take(marked, label)).toBe(expected)
  })

  it('proposes what the type of a block has, and of no other', () => {
    const labels = proposalsAt(inBlock('{"type":"text",|}'))?.options.map(({ label }) => label)
    expect(labels).toContain('content')
    expect(labels).not.toContain('items')
    expect(labels).not.toContain('type')
  })

  it('says what an id belongs to', () => {
    const options = proposalsAt(inBlock('{"type":"text input","options":{"variableId":"|"}}'))?.options
    expect(options).toEqual([{ label: 'v-1', apply: 'v-1"', detail: 'Age' }])
  })

  it.each([
    ['nothing', '|'],
    ['text', 'hello|'],
    ['a complete value', '{"version":"6.1"|}'],
    ['a key that objects are born with', '{"constructor":{|}}'],
    ['a key of prototypes', '{"__proto__":{"a":"|"}}'],
    ['lists where objects belong', '{"groups":{"blocks":[|]},"edges":5}'],
    ['brackets without end', `${'['.repeat(200_000)}|`],
  ])('proposes nothing in %s', (_what, marked) => {
    expect(proposalsAt(marked)).toBeUndefined()
  })
})

describe('errors of syntax', () => {
  it.each([
    ['{"a":1}', []],
    ['{"a" 1}', [{ from: 5, to: 6, message: 'A colon is expected' }]],
    [
      '{"a":1,}',
      [
        expect.objectContaining({ from: 7, to: 8, message: 'A key in double quotes is expected' }),
        expect.anything(),
      ],
    ],
    ['// no', [expect.objectContaining({ message: 'JSON has no comments' }), expect.anything()]],
    ['["a', [expect.objectContaining({ message: 'The closing quote is missing' }), expect.anything()]],
  ])('stand in %s at their place', (text, expected) => {
    expect(findSyntaxErrors(text)).toMatchObject(expected)
  })

  it.each(['', '['.repeat(200_000), '}'.repeat(5000), '"\u0000\\x"', '{"a":tru}'])(
    'lie within a text that is none, and are few',
    (text) => {
      const errors = findSyntaxErrors(text)
      expect(errors.length).toBeGreaterThan(0)
      expect(errors.length).toBeLessThanOrEqual(20)
      expect(errors.every(({ from, to }) => 0 <= from && from <= to && to <= text.length)).toBe(true)
    },
  )
})
