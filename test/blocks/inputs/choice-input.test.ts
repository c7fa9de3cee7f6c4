import { describe, expect, it } from 'vitest'
import { choiceInput } from '../../../src/blocks/inputs/choice-input.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

const condition = {
  logicalOperator: 'AND',
  comparisons: [{ id: 'q', variableId: 'vPlan', comparisonOperator: 'Equal to', value: '{{Wanted}}' }],
}

const block = {
  id: 'i1',
  type: 'choice input',
  outgoingEdgeId: 'e-def',
  items: [
    { id: 'a', content: 'Free' },
    { id: 'b', content: 'Pro for {{Name}}', value: 'pro', outgoingEdgeId: 'e-pro' },
  ],
}

const shown = (given: object, variables: Record<string, Value> = {}) =>
  runBlock(choiceInput, { ...block, ...given }, { variables }).input?.value

describe('a choice input', () => {
  it('shows its items with placeholders replaced, and waits', () => {
    expect(runBlock(choiceInput, block, { variables: { Name: 'Ann' } })).toEqual({
      input: expect.objectContaining({
        value: {
          ...block,
          items: [
            { id: 'a', content: 'Free' },
            { id: 'b', content: 'Pro for Ann', value: 'pro', outgoingEdgeId: 'e-pro' },
          ],
        },
      }),
      next: { to: 'wait' },
    })
  })

  it('keeps its options, and the ids in them', () => {
    const options = {
      variableId: '{{Name}}',
      isMultipleChoice: true,
      buttonLabel: 'Send, {{Name}}',
      isSearchable: true,
      searchInputPlaceholder: 'Find',
      areInitialSearchButtonsVisible: false,
    }
    expect(shown({ options: { ...options, unknown: 1 } }, { Name: 'Ann' })).toMatchObject({
      options: { ...options, buttonLabel: 'Send, Ann' },
    })
    expect(shown({ options: { unknown: 1 } })).toHaveProperty('options', {})
  })

  it('drops what the response does not declare', () => {
    const item = { id: 'a', blockId: 'i1', color: 'red', displayCondition: { isEnabled: false, note: 'x' } }
    expect(shown({ items: [item] })).toHaveProperty('items', [
      { id: 'a', displayCondition: { isEnabled: false } },
    ])
  })

  it('keeps empty and missing labels', () => {
    expect(shown({ items: [{ id: 'a', content: '' }, { id: 'b' }] })).toHaveProperty('items', [
      { id: 'a', content: '' },
      { id: 'b' },
    ])
  })

  it('never shows an earlier answer', () => {
    expect(shown({ options: { variableId: 'vName' } }, { Name: 'Ann' })).not.toHaveProperty('prefilledValue')
  })

  it('is one shared piece when nothing in it changes', () => {
    const items = [{ id: 'a', displayCondition: { isEnabled: true, condition: { comparisons: [] } } }]
    const prepared = prepareBlock(choiceInput, { ...block, items: block.items.slice(0, 1) } as typeof block)
    expect(prepared.run().input).toBe(prepared.run().input)
    const hiding = prepareBlock(choiceInput, {
      ...block,
      items: [...block.items.slice(0, 1), ...items],
    } as typeof block)
    expect(hiding.run().input?.value).toEqual(prepared.run().input?.value)
  })

  it('names its variable and the edges of its items', () => {
    expect(choiceInput.answerVariableId?.(prepared({ variableId: 'vName' }))).toBe('vName')
    expect(choiceInput.itemEdgeIds?.(block)).toEqual(['e-pro'])
    expect(choiceInput.showsChoices).toBe(true)
    expect(choiceInput.inputName).toBe('buttons')
  })
})

function prepared(options: object) {
  return choiceInput.compile(
    { ...block, options } as typeof block,
    {
      text: (text: string) => ({ parts: [text], constant: text, lone: undefined, codes: [] }),
    } as never,
  )
}

describe('a display condition', () => {
  const item = (displayCondition: object) => [{ id: 'a', content: 'A', displayCondition }]
  const resolved = {
    logicalOperator: 'AND',
    comparisons: [{ ...condition.comparisons[0], value: 'pro' }],
  }

  it('keeps an item where it holds, with its values resolved', () => {
    expect(
      shown({ items: item({ isEnabled: true, condition }) }, { Plan: 'pro', Wanted: 'pro' }),
    ).toHaveProperty('items', item({ isEnabled: true, condition: resolved }))
  })

  it('hides an item where it does not hold', () => {
    expect(
      shown({ items: item({ isEnabled: true, condition }) }, { Plan: 'free', Wanted: 'pro' }),
    ).toHaveProperty('items', [])
  })

  it('hides an item when it compares nothing', () => {
    expect(shown({ items: item({ isEnabled: true, condition: {} }) })).toHaveProperty('items', [])
  })

  it.each([{ isEnabled: true }, { isEnabled: false, condition }, { condition }])(
    'shows an item: %j',
    (given) => {
      expect(shown({ items: item(given) }, { Wanted: '' })).toHaveProperty('items.0.id', 'a')
    },
  )

  it('is checked once for what its author should know', () => {
    const broken = {
      comparisons: [{ id: 'q', variableId: 'vPlan', comparisonOperator: 'Matches regex', value: '/(/' }],
    }
    const given = { ...block, items: item({ isEnabled: true, condition: broken }) } as typeof block
    expect(prepareBlock(choiceInput, given).findings).toMatchObject([
      { code: 'invalid-pattern', at: '/items/0/displayCondition/condition/comparisons/0/value' },
    ])
  })
})

describe('choices from a variable', () => {
  const options = { dynamicVariableId: 'vSizes' }
  const labels = (Sizes: Value) => {
    const input = shown({ options }, { Sizes, Name: 'Ann' }) as { items: { content: string }[] }
    return input.items.map(({ content }) => content)
  }

  it('are the elements of a list, without empty and repeated ones', () => {
    expect(shown({ options }, { Sizes: ['S', 'M', 'S', '', null] })).toEqual({
      id: 'i1',
      type: 'choice input',
      outgoingEdgeId: 'e-def',
      options,
      items: [
        { id: 'choice0', content: 'S' },
        { id: 'choice1', content: 'M' },
      ],
    })
  })

  it.each<[Value, string[]]>([
    ['["x","y"]', ['x', 'y']],
    [' [1, true, null, "", {"a":2}, [3]]', ['1', 'true', '{"a":2}', '[3]']],
    ['a, b', ['a, b']],
    ['[not a list', ['[not a list']],
    ['{"a":1}', ['{"a":1}']],
    ['{{Name}}', ['{{Name}}']],
    ['[]', []],
    [[], []],
    [['[1]'], ['[1]']],
  ])('are read from %j', (value, expected) => {
    expect(labels(value)).toEqual(expected)
  })

  it('survive a text that nests endlessly', () => {
    expect(labels('['.repeat(60_000) + ']'.repeat(60_000))).toHaveLength(0)
  })

  it.each([{ Name: 'Ann' }, { Name: 'Ann', Sizes: null }])(
    'are the visible items while it is unset: %j',
    (variables) => {
      const hidden = { id: 'c', displayCondition: { isEnabled: true, condition: { comparisons: [] } } }
      expect(shown({ options, items: [...block.items, hidden] }, variables)).toHaveProperty('items', [
        { id: 'a', content: 'Free' },
        { id: 'b', content: 'Pro for Ann', value: 'pro', outgoingEdgeId: 'e-pro' },
      ])
    },
  )
})
