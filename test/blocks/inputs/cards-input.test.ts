import { describe, expect, it } from 'vitest'
import { cardsInput } from '../../../src/blocks/inputs/cards-input.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

const trip = {
  id: 'k',
  title: '{{Names}}',
  imageUrl: '{{Imgs}}',
  options: { internalValue: '{{Ids}}' },
  paths: [
    { id: 'p1', text: 'Book {{Who}}', outgoingEdgeId: 'e-book' },
    { id: 'p2', outgoingEdgeId: 'e-info' },
  ],
}

const items = (defined: object[], variables: Record<string, Value> = {}) => {
  const block = { id: 'i1', type: 'cards', items: defined }
  const input = runBlock(cardsInput, block, { variables }).input?.value as { items: unknown[] } | undefined
  return input?.items
}

describe('a cards input', () => {
  const options = { variableId: 'vTrip', saveResponseMapping: [{ field: 'Button', variableId: 'vButton' }] }

  it('shows its cards with placeholders replaced, and waits', () => {
    const block = {
      id: 'i1',
      type: 'cards',
      outgoingEdgeId: 'e1',
      options,
      items: [{ ...trip, blockId: 'i1', outgoingEdgeId: 'e2' }, { id: 'l' }],
    }
    const variables = { Names: 'Alps', Imgs: 'a.jpg', Ids: 'alp', Who: 'now', Trip: 'Sahara' }
    const step = runBlock(cardsInput, block, { variables })
    expect(step.next).toEqual({ to: 'wait' })
    expect(step.input?.value).toEqual({
      id: 'i1',
      type: 'cards',
      outgoingEdgeId: 'e1',
      options,
      items: [
        {
          id: 'k',
          outgoingEdgeId: 'e2',
          title: 'Alps',
          imageUrl: 'a.jpg',
          options: { internalValue: 'alp' },
          paths: [
            { id: 'p1', text: 'Book now', outgoingEdgeId: 'e-book' },
            { id: 'p2', outgoingEdgeId: 'e-info' },
          ],
        },
        { id: 'l' },
      ],
    })
  })

  it('keeps fields that are null', () => {
    const card = { id: 'k', title: null, imageUrl: null, description: null }
    expect(items([card])).toEqual([card])
  })

  it('hides the cards whose display condition does not hold', () => {
    const hidden = { isEnabled: true, condition: { comparisons: [] } }
    expect(items([{ id: 'k', options: { displayCondition: hidden } }, { id: 'l' }])).toEqual([{ id: 'l' }])
  })

  it('names its variable and the edges of its items, not of their buttons', () => {
    const block = { id: 'i1', type: 'cards', items: [{ ...trip, outgoingEdgeId: 'e2' }, { id: 'l' }] }
    expect(cardsInput.itemEdgeIds?.(block)).toEqual(['e2'])
    expect(cardsInput.answerVariableId?.({ variableId: 'v1' })).toBe('v1')
    expect(cardsInput.showsChoices).toBe(true)
    expect(cardsInput.inputName).toBe('cards')
  })
})

describe('cards from lists', () => {
  it('are one for each element, with buttons of their own', () => {
    const variables = { Names: ['Alps', 'Sahara'], Imgs: ['a.jpg', 's.jpg'], Ids: ['alp', 'sah'], Who: 'now' }
    expect(items([trip], variables)?.[1]).toEqual({
      id: 'k',
      title: 'Sahara',
      imageUrl: 's.jpg',
      options: { internalValue: 'sah' },
      paths: [
        { id: 'dynamic-card-1-path-0', text: 'Book now', outgoingEdgeId: 'e-book' },
        { id: 'dynamic-card-1-path-1', outgoingEdgeId: 'e-info' },
      ],
    })
    expect(items([trip], variables)).toHaveLength(2)
  })

  it('share a text, and lack what is past the end of a list or unset', () => {
    const card = { ...trip, description: '{{Texts}}', paths: [] }
    expect(items([card], { Names: ['A', null], Imgs: 'one.jpg', Ids: [], Texts: null })).toEqual([
      { id: 'k', title: 'A', imageUrl: 'one.jpg', options: {}, paths: [] },
      { id: 'k', title: null, imageUrl: 'one.jpg', options: {}, paths: [] },
    ])
  })

  it('are as many as the first list among title, picture and description', () => {
    const card = { id: 'k', title: '{{One}}', imageUrl: '{{Two}}', description: '{{Three}}' }
    const [One, Two, Three] = [['1'], ['1', '2'], ['1', '2', '3']]
    expect(items([card], { One, Two, Three })).toHaveLength(1)
    expect(items([card], { One: 'x', Two, Three })).toHaveLength(2)
    expect(items([card], { One: 'x', Two: null, Three })).toHaveLength(3)
    expect(items([card], { One: [], Two, Three })).toEqual([])
  })

  it('keep texts that are no placeholder or more than one', () => {
    const card = {
      id: 'k',
      title: '{{Names}}',
      description: 'In {{Who}}',
      imageUrl: null,
      options: { internalValue: 'x' },
    }
    expect(items([card], { Names: ['A'], Who: 'May' })).toEqual([
      { id: 'k', title: 'A', description: 'In May', imageUrl: null, options: { internalValue: 'x' } },
    ])
  })

  it('ask no display condition', () => {
    const displayCondition = { isEnabled: true, condition: { comparisons: [] } }
    const card = { id: 'k', title: '{{Names}}', options: { displayCondition } }
    expect(items([card], { Names: ['A'] })).toEqual([{ id: 'k', title: 'A', options: { displayCondition } }])
  })

  it.each([
    ['a title that is more than a placeholder', [{ id: 'k', title: 'Pick {{Names}}' }]],
    ['a list in the internal value alone', [{ id: 'k', options: { internalValue: '{{Names}}' } }]],
    ['a second item', [{ id: 'k', title: '{{Names}}' }, { id: 'l' }]],
    ['code', [{ id: 'k', title: '{{=1=}}' }]],
  ])('are not made of %s', (_, defined) => {
    expect(items(defined, { Names: ['A', 'B', 'C'] })).toHaveLength(defined.length)
  })

  it('show nothing where nothing is defined', () => {
    expect(items([])).toEqual([])
    expect(prepareBlock(cardsInput, { id: 'i1', type: 'cards', items: [] } as never).findings).toEqual([])
  })

  it('count against the budget of the turn, since each repeats what they share', () => {
    const card = {
      id: 'k',
      title: '{{Names}}',
      description: '{{Long}}',
      paths: [{ id: 'p', text: 'x'.repeat(500) }],
    }
    const block = { id: 'i1', type: 'cards', items: [card] }
    const variables = { Names: Array.from({ length: 100 }, () => 'a'), Long: 'x'.repeat(1000) }
    const prepared = prepareBlock(cardsInput, block, { variables })
    prepared.run()
    expect(prepared.spent()).toBeGreaterThan(100 * (1000 + 500))
  })
})
