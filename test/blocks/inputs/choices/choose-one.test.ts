import { describe, expect, it } from 'vitest'
import { choiceInput } from '../../../../src/blocks/inputs/choice-input.ts'
import { pictureChoiceInput } from '../../../../src/blocks/inputs/picture-choice-input.ts'
import type { AnyBlock } from '../../../../src/engine/model/block-handler.ts'
import type { Value } from '../../../../src/engine/values/value.ts'
import { prepareBlock, type Surroundings, withoutItems } from '../../../support/run-block.ts'

const wines = [
  { id: 'i1', content: 'Red wine' },
  { id: 'i2', content: 'Wine', outgoingEdgeId: 'e-wine' },
  { id: 'i3', content: 'Beer', value: 'B-01' },
]

interface Asked {
  items: object[]
  options?: object
  variables?: Record<string, Value>
}

const ask = (text: string, { items, options = {}, variables = {} }: Asked, replyId?: string) => {
  const block = { id: 'i1', type: 'choice input', items, options } as AnyBlock
  const reply = { type: 'text' as const, text, ...(replyId !== undefined && { replyId }) }
  return withoutItems(prepareBlock(choiceInput, block, { variables } as Surroundings).reply(reply))
}

const refused = { outcome: 'refused', rule: expect.any(String) }
const accepted = (content: string, edgeId?: string) => ({
  outcome: 'accepted',
  content,
  ...(edgeId !== undefined && { edgeId }),
})

describe('a reply to a single choice', () => {
  it.each([
    ['Red wine', 'Red wine'],
    [' Red wine ', 'Red wine'],
    ['i1', 'Red wine'],
    ['Beer', 'B-01'],
    ['B-01', 'B-01'],
    [' B-01\n', 'B-01'],
    ['i3', 'B-01'],
  ])('names an item: %j', (text, content) => {
    expect(ask(text, { items: wines })).toEqual(accepted(content))
  })

  it.each(['red wine', '1', 'b-01', '', ' ', ' i1', 'Red  wine', 'Wine!'])(
    'is refused when it does not name one exactly: %j',
    (text) => {
      expect(ask(text, { items: wines })).toEqual(refused)
    },
  )

  it('is refused when it is a recording, or nothing', () => {
    const { reply } = prepareBlock(choiceInput, { id: 'i1', type: 'choice input', items: wines } as AnyBlock)
    expect(reply()).toEqual(refused)
    expect(reply({ type: 'audio', url: 'https://a.example/Wine' })).toEqual(refused)
  })

  it('names the item that was chosen, as far as the flow has it', () => {
    const chosen = (block: object, variables = {}) =>
      prepareBlock(choiceInput, { id: 'i1', type: 'choice input', ...block } as AnyBlock, {
        variables,
      }).reply({
        type: 'text',
        text: 'Beer',
      })
    expect(chosen({ items: wines })).toMatchObject({ items: ['i3'] })
    const options = { dynamicVariableId: 'vDrinks' }
    expect(chosen({ items: wines, options }, { Drinks: ['Beer', 'Rum'] })).not.toHaveProperty('items')
  })

  it('means the item that was clicked, whatever the text says', () => {
    expect(ask('whatever', { items: wines }, 'i2')).toEqual(accepted('Wine', 'e-wine'))
    expect(ask('Red wine', { items: wines }, 'i2')).toEqual(accepted('Wine', 'e-wine'))
  })

  it('means what the text says when no such item was clicked', () => {
    expect(ask('Beer', { items: wines }, 'i9')).toEqual(accepted('B-01'))
    expect(ask('whatever', { items: wines }, 'i9')).toEqual(refused)
  })

  it('means the item with the longest label, then the first, where several are named', () => {
    const items = [
      { id: 'a', content: 'x' },
      { id: 'b', content: 'x ', value: 'second' },
      { id: 'c', content: 'long label', value: 'x' },
      { id: 'd', content: 'also longx', value: 'x', outgoingEdgeId: 'e-d' },
    ]
    expect(ask('x', { items: items.slice(0, 2) })).toEqual(accepted('second'))
    expect(ask('x', { items })).toEqual(accepted('x'))
    expect(ask('x', { items: items.slice(2).reverse() })).toEqual(accepted('x', 'e-d'))
  })

  it('saves a label as it stands, and the label where the value is empty', () => {
    expect(ask('Tea', { items: [{ id: 'a', content: ' Tea ', value: '' }] })).toEqual(accepted(' Tea '))
  })

  it('is refused when the item it names holds nothing to save', () => {
    expect(ask('a', { items: [{ id: 'a' }] })).toEqual(refused)
    expect(ask('', { items: [{ id: 'a', content: '' }] }, 'a')).toEqual(refused)
  })

  it('never counts a label made of blanks as the empty text', () => {
    expect(ask('', { items: [{ id: 'a', content: ' ', value: ' ' }] })).toEqual(refused)
  })

  it('names an item by its label and value of now', () => {
    const items = [{ id: 'b', content: 'Pro for {{Name}}', value: '{{Code}}', outgoingEdgeId: 'e-pro' }]
    const variables = { Name: 'Ann', Code: 'pro' }
    expect(ask('Pro for Ann', { items, variables })).toEqual(accepted('pro', 'e-pro'))
    expect(ask('pro', { items, variables })).toEqual(accepted('pro', 'e-pro'))
    expect(ask('Pro for {{Name}}', { items, variables })).toEqual(refused)
  })

  it('cannot name an item that is hidden now', () => {
    const isSet = { comparisons: [{ id: 'q', variableId: 'vPlan', comparisonOperator: 'Is set' }] }
    const items = [{ id: 'c', content: 'Keep', displayCondition: { isEnabled: true, condition: isSet } }]
    expect(ask('Keep', { items, variables: { Plan: null } })).toEqual(refused)
    expect(ask('', { items, variables: { Plan: null } }, 'c')).toEqual(refused)
    expect(ask('Keep', { items, variables: { Plan: 'x' } })).toEqual(accepted('Keep'))
  })

  it('counts what it is held against', () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ id: `i${index}`, content: 'x'.repeat(100) }))
    const prepared = prepareBlock(choiceInput, { id: 'i1', type: 'choice input', items } as AnyBlock)
    prepared.reply({ type: 'text', text: 'y' })
    expect(prepared.spent()).toBeGreaterThan(100 * 100)
  })
})

describe('the edge of a single choice', () => {
  const items = [
    { id: 'a', content: 'Other {{Name}}', outgoingEdgeId: 'e-other' },
    { id: 'b', content: 'Other {{Name}}', outgoingEdgeId: 'e-second' },
    { id: 'c', content: 'Cafe\u0301', outgoingEdgeId: 'e-cafe' },
    { id: 'd', content: 'Plain' },
    { id: 'e', content: 'Plain', outgoingEdgeId: 'e-plain' },
  ]
  const options = { dynamicVariableId: 'vList' }
  const variables = { Name: 'Ann', List: ['Other Ann', 'Caf\u00e9', 'Plain', 'New'] }

  it.each([
    ['Other Ann', 'e-other'],
    ['Caf\u00e9', 'e-cafe'],
    ['Plain', undefined],
    ['New', undefined],
  ])('from a variable is lent by the first defined item of the same label: %j', (text, edgeId) => {
    expect(ask(text, { items, options, variables })).toEqual(accepted(text, edgeId))
  })

  it('is lent to an item whose value is the label of another', () => {
    const given = [
      { id: 'a', content: 'A', value: 'B' },
      { id: 'b', content: 'B', outgoingEdgeId: 'e-b' },
    ]
    expect(ask('A', { items: given })).toEqual(accepted('B', 'e-b'))
  })

  it('is lent by an item that is hidden as well', () => {
    const hidden = { isEnabled: true, condition: { comparisons: [] } }
    const given = [
      { id: 'a', content: 'A', value: 'B' },
      { id: 'b', content: 'B', outgoingEdgeId: 'e-b', displayCondition: hidden },
    ]
    expect(ask('A', { items: given })).toEqual(accepted('B', 'e-b'))
  })

  it('is its own first', () => {
    const given = [
      { id: 'a', content: 'A', outgoingEdgeId: 'e-a' },
      { id: 'b', content: 'A', value: 'A', outgoingEdgeId: 'e-b' },
    ]
    expect(ask('x', { items: given }, 'b')).toEqual(accepted('A', 'e-b'))
  })
})

describe('a reply to choices from a variable', () => {
  const options = { dynamicVariableId: 'vSizes' }
  const variables = { Sizes: ['S', 'M', 'S', '', null, '{{Name}}'], Name: 'Ann' }

  it.each([
    ['M', 'M'],
    ['choice0', 'S'],
    ['{{Name}}', '{{Name}}'],
  ])('names an element, or its place: %j', (text, content) => {
    expect(ask(text, { items: [], options, variables })).toEqual(accepted(content))
  })

  it.each(['Ann', 'L', 'a'])('cannot name what is not shown: %j', (text) => {
    expect(ask(text, { items: [{ id: 'a', content: 'L' }], options, variables })).toEqual(refused)
  })
})

describe('a reply to a picture choice', () => {
  const answer = (text: string, given: object, variables: Record<string, Value> = {}, replyId?: string) => {
    const block = { id: 'i1', type: 'picture choice input', items: [], ...given } as AnyBlock
    const reply = { type: 'text' as const, text, ...(replyId !== undefined && { replyId }) }
    return withoutItems(prepareBlock(pictureChoiceInput, block, { variables }).reply(reply))
  }
  const items = [
    { id: 'a', title: 'Sea', pictureSrc: '1.png', outgoingEdgeId: 'e-sea' },
    { id: 'b', title: '', pictureSrc: '2.png' },
    { id: 'c', pictureSrc: '3.png' },
    { id: 'd', title: 'Hill', value: 'H', pictureSrc: '4.png' },
  ]

  it.each([
    ['Sea', accepted('Sea', 'e-sea')],
    ['a', accepted('Sea', 'e-sea')],
    ['2.png', accepted('2.png')],
    ['b', accepted('2.png')],
    ['c', accepted('3.png')],
    ['Hill', accepted('H')],
    ['H', accepted('H')],
    ['1.png', refused],
    ['3.png', refused],
    ['sea', refused],
  ])('names a picture by title, or by address in place of an empty one: %j', (text, verdict) => {
    expect(answer(text, { items })).toEqual(verdict)
  })

  it('means the picture that was clicked', () => {
    expect(answer('Hill', { items }, {}, 'a')).toEqual(accepted('Sea', 'e-sea'))
  })

  it('is refused when it is a recording, or nothing', () => {
    const block = { id: 'i1', type: 'picture choice input', items } as AnyBlock
    expect(prepareBlock(pictureChoiceInput, block).reply()).toEqual(refused)
    expect(prepareBlock(pictureChoiceInput, block).reply({ type: 'audio', url: 'Sea' })).toEqual(refused)
  })

  const dynamic = {
    items: [{ id: 'x', title: 'Sea', outgoingEdgeId: 'e-sea' }],
    options: {
      dynamicItems: { isEnabled: true, pictureSrcsVariableId: 'vPics', titlesVariableId: 'vTitles' },
    },
  }
  const variables = { Pics: ['https://p.example/1.png', 'https://p.example/2.png'], Titles: ['Sea'] }

  it.each([
    ['0', accepted('Sea', 'e-sea')],
    ['1', accepted('https://p.example/2.png')],
    ['https://p.example/2.png', accepted('https://p.example/2.png')],
    ['x', refused],
    ['2', refused],
  ])('names one that comes from variables: %j', (text, verdict) => {
    expect(answer(text, dynamic, variables)).toEqual(verdict)
  })
})
