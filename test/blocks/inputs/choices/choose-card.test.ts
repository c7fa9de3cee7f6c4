import { describe, expect, it } from 'vitest'
import { cardsInput } from '../../../../src/blocks/inputs/cards-input.ts'
import type { AnyBlock } from '../../../../src/engine/model/block-handler.ts'
import type { Value } from '../../../../src/engine/values/value.ts'
import { prepareBlock } from '../../../support/run-block.ts'

const mapping = ['Image URL', 'Title', 'Description', 'Button', 'Internal Value'].map((field) => ({
  field,
  variableId: `v${field}`,
}))

interface Asked {
  items: object[]
  saveResponseMapping?: object[]
  variables?: Record<string, Value>
}

const ask = (text: string, { items, saveResponseMapping = [], variables = {} }: Asked, replyId?: string) => {
  const block = { id: 'i1', type: 'cards', items, options: { saveResponseMapping } } as AnyBlock
  const reply = { type: 'text' as const, text, ...(replyId !== undefined && { replyId }) }
  return prepareBlock(cardsInput, block, { variables }).reply(reply)
}

const refused = { outcome: 'refused', rule: expect.any(String) }
const accepted = (content: string, edgeId?: string) => ({
  outcome: 'accepted',
  content,
  ...(edgeId !== undefined && { edgeId }),
})

const cards = [
  {
    id: 'k1',
    title: 'Alps',
    imageUrl: 'a.jpg',
    paths: [
      { id: 'p1', text: 'Book', outgoingEdgeId: 'e-book' },
      { id: 'p2', text: 'Details' },
    ],
  },
  { id: 'k2', title: 'Sahara', outgoingEdgeId: 'e-card', paths: [{ id: 'p3', outgoingEdgeId: 'e-info' }] },
  { id: 'k3', title: 'Rome' },
]

describe('a reply to cards whose titles differ only in case', () => {
  const items = ['Sun', 'SUN', 'sun', 'Straße'].map((title, index) => ({
    id: 'k',
    title,
    description: null,
    paths: [{ id: `p${index}`, outgoingEdgeId: `e-${index}` }],
  }))
  it.each([
    ['sun', 'sun', 'e-2'],
    [' SUN', 'SUN', 'e-1'],
    ['sUN', 'Sun', 'e-0'],
    ['STRASSE', 'Straße', 'e-3'],
    ['p1', 'SUN', 'e-1'],
  ])('prefers the one that it spells as it is: %j', (text, title, edgeId) => {
    expect(ask(text, { items })).toEqual(accepted(title, edgeId))
  })

  it('prefers it among cards from a list', () => {
    const dynamic = [{ id: 'k', title: '{{Titles}}', paths: [{ id: 'p' }] }]
    expect(ask('b', { items: dynamic, variables: { Titles: ['B', 'b'] } })).toEqual(accepted('b'))
  })
})

describe('a reply to cards', () => {
  it.each([
    ['p1', accepted('Alps', 'e-book')],
    ['p2', accepted('Alps')],
    ['p3', accepted('Sahara', 'e-info')],
    ['alps', accepted('Alps', 'e-book')],
    [' SAHARA ', accepted('Sahara', 'e-info')],
    ['Rome', accepted('Rome')],
  ])('names a button by its id, or a card and its first button by the title: %j', (text, verdict) => {
    expect(ask(text, { items: cards })).toEqual(verdict)
  })

  it.each(['Book', 'k1', 'a.jpg', 'P1', ' p1', 'Alp', '1', '', ' '])('is refused: %j', (text) => {
    expect(ask(text, { items: cards })).toEqual(refused)
  })

  it('is refused when it is a recording, or nothing', () => {
    const { reply } = prepareBlock(cardsInput, { id: 'i1', type: 'cards', items: cards } as AnyBlock)
    expect(reply()).toEqual(refused)
    expect(reply({ type: 'audio', url: 'Alps' })).toEqual(refused)
  })

  it('means the button that was clicked, whatever the text says', () => {
    expect(ask('Sahara', { items: cards }, 'p2')).toEqual(accepted('Alps'))
  })

  it('means what the text says when no such button was clicked', () => {
    expect(ask('Sahara', { items: cards }, 'p9')).toEqual(accepted('Sahara', 'e-info'))
    expect(ask('x', { items: cards }, 'k1')).toEqual(refused)
  })

  it('means the card with the longest title, then the first, where several are named', () => {
    const paths = (edge: string) => [{ id: 'same', outgoingEdgeId: edge }]
    const items = [
      { id: 'a', paths: paths('e-a'), description: 'untitled' },
      { id: 'b', title: 'B', paths: paths('e-b') },
      { id: 'c', title: 'Long', paths: paths('e-c') },
      { id: 'd', title: 'LONG', paths: paths('e-d') },
    ]
    expect(ask('same', { items })).toEqual(accepted('Long', 'e-c'))
    expect(ask('', { items }, 'same')).toEqual(accepted('Long', 'e-c'))
    expect(ask('long', { items })).toEqual(accepted('Long', 'e-c'))
  })

  it.each([
    [{ title: 'T', imageUrl: 'i', description: 'D' }, 'T'],
    [{ title: '', imageUrl: 'i', description: 'D' }, 'i'],
    [{ title: null, imageUrl: null, description: 'D' }, 'D'],
    [{}, 'Book'],
  ])('saves the first of title, picture, description and button that is there: %j', (card, content) => {
    const items = [{ id: 'k', ...card, paths: [{ id: 'p', text: 'Book' }] }]
    expect(ask('p', { items })).toEqual(accepted(content))
  })

  it('is refused when there is nothing to save', () => {
    expect(ask('p', { items: [{ id: 'k', paths: [{ id: 'p' }] }] })).toEqual(refused)
  })

  it('never means a card without a title by an empty text', () => {
    expect(
      ask('', {
        items: [
          { id: 'k', title: '', imageUrl: 'i' },
          { id: 'l', title: ' ' },
        ],
      }),
    ).toEqual(refused)
  })

  it('cannot name a card that is hidden now', () => {
    const displayCondition = { isEnabled: true, condition: { comparisons: [] } }
    expect(ask('Alps', { items: [{ ...cards[0], options: { displayCondition } }] })).toEqual(refused)
  })

  it('counts what it is held against', () => {
    const items = Array.from({ length: 100 }, () => ({ id: 'k', title: 'x'.repeat(100) }))
    const prepared = prepareBlock(cardsInput, { id: 'i1', type: 'cards', items } as AnyBlock)
    prepared.reply({ type: 'text', text: 'y', replyId: 'z' })
    expect(prepared.spent()).toBeGreaterThan(100 * 100)
  })
})

describe('the mapping of a chosen card', () => {
  const card = {
    id: 'k',
    title: 'Alps',
    imageUrl: 'a.jpg',
    description: 'High',
    options: { internalValue: 'alp' },
    paths: [{ id: 'p', text: 'Book' }],
  }
  const assignmentsOf = (given: object, saveResponseMapping: object[] = mapping) => {
    const verdict = ask('', { items: [{ ...card, ...given }], saveResponseMapping }, 'p')
    return 'assignments' in verdict
      ? verdict.assignments?.map(({ variableId, value }) => [variableId, value])
      : undefined
  }

  it('writes each field into its variable, in order', () => {
    expect(assignmentsOf({})).toEqual([
      ['vImage URL', 'a.jpg'],
      ['vTitle', 'Alps'],
      ['vDescription', 'High'],
      ['vButton', 'Book'],
      ['vInternal Value', 'alp'],
    ])
  })

  it('clears the variable of a field that is null', () => {
    expect(assignmentsOf({ imageUrl: null, description: null })).toEqual([
      ['vImage URL', null],
      ['vTitle', 'Alps'],
      ['vDescription', null],
      ['vButton', 'Book'],
      ['vInternal Value', 'alp'],
    ])
  })

  it('leaves the variable of a field that is absent, and of an empty internal value', () => {
    const given = { imageUrl: undefined, description: undefined, options: {}, paths: [{ id: 'p' }] }
    expect(assignmentsOf(given)).toEqual([['vTitle', 'Alps']])
    expect(assignmentsOf({ options: { internalValue: '' } }, mapping.slice(4))).toBeUndefined()
  })

  it('passes over an entry without field or variable', () => {
    expect(assignmentsOf({}, [{ field: 'Title' }, { variableId: 'v' }, {}])).toBeUndefined()
  })

  it('has no button for a card that has none', () => {
    const items = [{ id: 'k', title: 'Rome' }]
    expect(ask('Rome', { items, saveResponseMapping: mapping.slice(3) })).toEqual(accepted('Rome'))
  })
})

describe('a reply to cards from lists', () => {
  const trip = {
    id: 'k',
    title: '{{Names}}',
    imageUrl: '{{Imgs}}',
    options: { internalValue: '{{Ids}}' },
    paths: [
      { id: 'p1', text: 'Book', outgoingEdgeId: 'e-book' },
      { id: 'p2', text: 'Details', outgoingEdgeId: 'e-info' },
    ],
  }
  const asked: Asked = {
    items: [trip],
    saveResponseMapping: [
      { field: 'Button', variableId: 'v_btn' },
      { field: 'Internal Value', variableId: 'v_id' },
    ],
    variables: {
      Names: ['Alps', 'Sahara', null],
      Imgs: ['https://p.example/a.jpg', 'https://p.example/s.jpg', 'https://p.example/x.jpg'],
      Ids: ['alp', 'sah'],
    },
  }

  it('names a button of one card', () => {
    const id = 'dynamic-card-1-path-1'
    expect(ask(id, asked, id)).toEqual({
      ...accepted('Sahara', 'e-info'),
      assignments: [
        { variableId: 'v_btn', value: 'Details' },
        { variableId: 'v_id', value: 'sah' },
      ],
    })
  })

  it('names a card by its title', () => {
    expect(ask('alps', asked)).toMatchObject({
      ...accepted('Alps', 'e-book'),
      assignments: [{ value: 'Book' }, { value: 'alp' }],
    })
  })

  it('saves the picture of a card whose title is missing', () => {
    expect(ask('dynamic-card-2-path-0', asked)).toEqual({
      ...accepted('https://p.example/x.jpg', 'e-book'),
      assignments: [{ variableId: 'v_btn', value: 'Book' }],
    })
  })

  it.each(['p1', 'k', 'dynamic-card-3-path-0', 'Book'])('is refused: %j', (text) => {
    expect(ask(text, asked)).toEqual(refused)
  })
})
