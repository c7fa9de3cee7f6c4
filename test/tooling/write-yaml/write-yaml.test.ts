import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { writeYaml } from '../../../src/tooling/write-yaml/write-yaml.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'

const written = (definition: Json) => writeYaml(readDefinition(wholeDefinition(definition)))

/** The steps of the only group. */
const stepsOf = (...blocks: readonly Json[]) =>
  written({ blocks, variables: ['Name', 'Age', 'Two words'] })
    .split('Group 1:\n')[1]
    ?.replace(/^ {4}/gm, '')

const richText = (...lines: readonly Json[][]) => ({
  richText: lines.map((children) => ({ type: 'p', children })),
})
const text = (content: unknown): Json => ({ id: 't', type: 'text', content })

describe('a text', () => {
  it.each([
    [text('Hello'), '- Hello\n'],
    [text('1. First'), '- text: 1. First\n'],
    [text(richText([{ text: 'a ' }, { text: 'b', bold: true }], [{ text: 'c' }])), '- |-\n  a **b**\n  c\n'],
    [text(richText([{ text: 'Hi' }, { text: ', you' }])), '- Hi, you\n'],
    [text(richText([{ text: 'Hi ' }, { text: '{{Name}}' }])), expect.stringContaining('richText')],
    [text(richText([{ text: 'a*b*' }, { text: 'c', italic: true }])), '- a\\*b\\*_c_\n'],
    [text(richText([{ text: 'a', underline: true }])), expect.stringContaining('richText')],
    [text({ markdown: '**a**' }), '- "**a**"\n'],
  ])('is the shortest that shows the same: %j', (block, steps) => {
    expect(stepsOf(block)).toEqual(steps)
  })
})

describe('a step', () => {
  it.each([
    [
      [text('Your name?'), { id: 'i', type: 'text input', options: { variableId: 'vName' } }],
      '- ask: Your name?\n  into: Name\n',
    ],
    [
      [
        { id: 'a', type: 'Set variable', options: { variableId: 'vName', expressionToEvaluate: 'Ada' } },
        { id: 'b', type: 'Set variable', options: { variableId: 'vAge', expressionToEvaluate: '36' } },
      ],
      '- set: { Name: Ada, Age: 36 }\n',
    ],
    [
      [
        {
          id: 'c',
          type: 'Condition',
          items: [
            {
              id: 'i',
              content: {
                logicalOperator: 'OR',
                comparisons: [
                  { id: 'p', variableId: 'vTwo words', comparisonOperator: 'Is empty' },
                  { id: 'q', variableId: 'vAge', comparisonOperator: 'Less than', value: '18' },
                ],
              },
            },
          ],
        },
      ],
      '- if: Two words is empty or Age < 18\n  then:\n    - end:\n',
    ],
    [[{ id: 'h', type: 'hologram', depth: 3 }], '- type: hologram\n  depth: 3\n'],
  ] as const)('says what a block does: %j', (blocks, steps) => {
    expect(stepsOf(...(blocks as readonly Json[]))).toBe(steps)
  })
})

describe('an id', () => {
  it('stands at events that share one, as the first of them runs for both', () => {
    const reply = { id: 'r', type: 'reply' }
    const events = [{ id: 's', type: 'start' }, reply, { ...reply, outgoingEdgeId: 'e' }]
    const yaml = written({ events, groups: { g: [] }, edges: { e: 'g' } })
    expect(yaml.match(/id: r\b/g)).toHaveLength(2)
    expect(yaml).not.toMatch(/id: s\b/)
  })

  it('stands where a jump names it, but not at the first of a group', () => {
    const to = (blockId: string) => ({ type: 'Jump', options: { groupId: 'a', blockId } })
    const groups = {
      a: [
        { id: 'one', text: 'One' },
        { id: 'two', text: 'Two' },
      ],
      b: [
        { id: 'j1', ...to('one') },
        { id: 'j2', ...to('two') },
      ],
    }
    const yaml = written({ groups })
    expect([...yaml.matchAll(/ id: (\w+)/g)].map(([, id]) => id)).toEqual(['two'])
    expect([...yaml.matchAll(/jump: (.*)/g)].map(([, way]) => way)).toEqual(['A', 'A > two'])
  })

  it('stands where a translation, an edge or another part of that id names it', () => {
    const yaml = written({
      groups: {
        a: [
          { id: 'one', text: 'One' },
          { id: 'two', text: 'Two' },
          { id: 'three', text: 'Three' },
        ],
        b: [
          { id: 'four', text: 'Four', outgoingEdgeId: 'e' },
          { id: 'four', text: 'Five' },
        ],
      },
      edges: { e: { groupId: 'a', blockId: 'two' } },
      definition: undefined,
      localizations: { fr: { 'three/content/richText/0/children/0/text': 'Trois' } },
    })
    expect([...yaml.matchAll(/id: (\w+)/g)].map(([, id]) => id)).toEqual(['two', 'three', 'four', 'four'])
  })
})
