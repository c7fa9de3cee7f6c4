import { describe, expect, it } from 'vitest'
import { choiceInput } from '../../../../src/blocks/inputs/choice-input.ts'
import { pictureChoiceInput } from '../../../../src/blocks/inputs/picture-choice-input.ts'
import type { AnyBlock } from '../../../../src/engine/model/block-handler.ts'
import { prepareBlock, withoutItems } from '../../../support/run-block.ts'

const drinks = [
  { id: 'i1', content: 'Red wine' },
  { id: 'i2', content: 'Wine', outgoingEdgeId: 'e-wine' },
  { id: 'i3', content: 'Beer', value: 'B-01' },
  { id: 'i4', content: 'Soft drink' },
]

const prepare = (items: object[]) => {
  const options = { isMultipleChoice: true }
  return prepareBlock(choiceInput, { id: 'i1', type: 'choice input', items, options } as AnyBlock)
}
const choose = (text: string, items: object[] = drinks) =>
  withoutItems(prepare(items).reply({ type: 'text', text }))

const refused = { outcome: 'refused', rule: expect.any(String) }
const accepted = (content: string) => ({ outcome: 'accepted', content })

describe('a reply to a multiple choice', () => {
  it.each([
    ['Wine, Red wine', 'Red wine, Wine'],
    ['2 and 1', 'Red wine, Wine'],
    ['beer & soft drink', 'B-01, Soft drink'],
    ['3 and 4', 'B-01, Soft drink'],
    ['i3,i4', 'B-01, Soft drink'],
    ['I3 / B-01 / Beer', 'B-01'],
    ['B-01 4', 'B-01, Soft drink'],
    ['2.', 'Wine'],
    ['red wine', 'Red wine'],
    ['Red  wine', 'Red wine'],
    ['Red wine and Wine and 3', 'Red wine, Wine, B-01'],
    ['nothing but wine', 'Wine'],
  ])('names items in any order and words: %j', (text, content) => {
    expect(choose(text)).toEqual(accepted(content))
  })

  it.each(['13', 'Winery', 'water', '', ' ', '5', '0', 'softdrink'])('is refused: %j', (text) => {
    expect(choose(text)).toEqual(refused)
  })

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare(drinks).reply()).toEqual(refused)
    expect(prepare(drinks).reply({ type: 'audio', url: 'Wine' })).toEqual(refused)
  })

  it('says by its text alone what is chosen, and leaves by the edge of the block', () => {
    const reply = { type: 'text' as const, text: 'Wine', replyId: 'i1' }
    expect(withoutItems(prepare(drinks).reply(reply))).toEqual(accepted('Wine'))
    expect(prepare(drinks).reply({ type: 'text', text: '2 and 1' })).toMatchObject({ items: ['i1', 'i2'] })
  })

  it('means the longest of what names an item, by id, value or label', () => {
    const items = [
      { id: '1', content: 'Two nights', value: '2 nights' },
      { id: '2', content: 'Three nights', value: '3 nights' },
      { id: '3', content: 'https://p.example/1.png' },
    ]
    expect(choose('2 nights', items)).toEqual(accepted('2 nights'))
    expect(choose('https://p.example/1.png', items)).toEqual(accepted('https://p.example/1.png'))
    expect(choose('1, 2', items)).toEqual(accepted('2 nights, 3 nights'))
  })

  it('means the id of one item rather than the value or label of another', () => {
    const items = [
      { id: 'a', content: 'x' },
      { id: 'b', content: 'y', value: 'x' },
      { id: 'x', content: 'z' },
    ]
    expect(choose('x', items)).toEqual(accepted('z'))
    expect(choose('x', items.slice(0, 2))).toEqual(accepted('x'))
    expect(choose('x, x', items)).toEqual(accepted('x, z'))
  })

  it('reads no number out of a name that is understood', () => {
    const items = [
      { id: 'a', content: 'Bus' },
      { id: 'b', content: 'Tram' },
      { id: 'c', content: 'Line 2', value: 'the line' },
    ]
    expect(choose('the line (Line 2)', items)).toEqual(accepted('the line'))
  })

  it('saves trimmed labels, and a value even when it is empty', () => {
    const items = [
      { id: 'a', content: ' Tea ' },
      { id: 'b', content: 'Milk', value: '' },
    ]
    expect(choose('milk and tea', items)).toEqual(accepted('Tea, '))
    expect(choose('milk', items)).toEqual(accepted(''))
  })

  it('can name an item without label by its id or number', () => {
    expect(choose('2', [{ id: 'a' }, { id: 'b', value: 'two' }])).toEqual(accepted('two'))
    expect(choose('b', [{ id: 'a' }, { id: 'b', value: 'two' }])).toEqual(accepted('two'))
  })

  it('numbers the items that are shown', () => {
    const hidden = { isEnabled: true, condition: { comparisons: [] } }
    const items = [{ id: 'h', content: 'Hidden', displayCondition: hidden }, ...drinks]
    expect(choose('1', items)).toEqual(accepted('Red wine'))
    expect(choose('Hidden', items)).toEqual(refused)
  })

  it('costs little beyond the length of its items, however often their words are repeated', () => {
    const prepared = prepare(
      Array.from({ length: 10_000 }, (_, index) => ({ id: `id${index}`, content: `a a number ${index}` })),
    )
    expect(prepared.reply({ type: 'text', text: 'a '.repeat(8192) })).toEqual(refused)
    expect(prepared.spent()).toBeGreaterThan(10_000 * 20)
    expect(prepared.spent()).toBeLessThan(10_000 * 40)
  })

  it('counts every place that it is looked for in', () => {
    const prepared = prepare(Array.from({ length: 100 }, () => ({ id: 'a' })))
    prepared.reply({ type: 'text', text: 'a '.repeat(1000) })
    expect(prepared.spent()).toBeGreaterThan((100 * 100) / 2)
  })
})

describe('a reply to choices whose names differ only in case', () => {
  const sizes = [
    { id: 'M', content: 'Large' },
    { id: 'i2', content: 'm', value: 'metre' },
    { id: 'i3', content: 'mm' },
    { id: 'i4', content: 'MM' },
    { id: 'i5', content: 'Mm ' },
  ]
  it.each([
    ['MM', 'MM'],
    ['Mm and mm', 'mm, Mm'],
    ['mm, MM, Mm', 'mm, MM, Mm'],
    ['mM', 'mm'],
    ['m', 'metre'],
    ['M', 'Large'],
    ['M or m', 'Large, metre'],
    ['Mm, METRE', 'metre, Mm'],
  ])('prefers those that it spells as they are: %j', (text, content) => {
    expect(choose(text, sizes)).toEqual(accepted(content))
  })

  it('knows how accents are put together', () => {
    const items = [
      { id: 'i1', content: 'ÉTÉ' },
      { id: 'i2', content: 'été' },
    ]
    expect(choose('e\u0301te\u0301', items)).toEqual(accepted('été'))
  })
})

describe('a reply to a multiple picture choice', () => {
  const answer = (text: string) => {
    const dynamicItems = { isEnabled: true, pictureSrcsVariableId: 'vPics', titlesVariableId: 'vTitles' }
    const block = {
      id: 'i1',
      type: 'picture choice input',
      items: [],
      options: { isMultipleChoice: true, dynamicItems },
    } as AnyBlock
    const Pics = ['https://p.example/0.png', 'https://p.example/1.png', 'https://p.example/2.png']
    const variables = { Pics, Titles: ['2 hills', 'Sea'] }
    return withoutItems(prepareBlock(pictureChoiceInput, block, { variables }).reply({ type: 'text', text }))
  }

  it.each([
    ['Sea, 2 hills', '2 hills, Sea'],
    ['0, 1', '2 hills, Sea'],
    ['https://p.example/2.png, sea', 'Sea, https://p.example/2.png'],
    ['3', 'https://p.example/2.png'],
  ])('names pictures by title, address, id or number: %j', (text, content) => {
    expect(answer(text)).toEqual(accepted(content))
  })

  it('is refused when it names none', () => {
    expect(answer('https://p.example/9.png')).toEqual(refused)
  })
})
