import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageOf, saidInWords } from '../../pages/results/panel/transcript-lines.ts'
import {
  noFilter,
  type Place,
  queryOf,
  readPlace,
  stages,
  views,
  writePlace,
} from '../../pages/results/state/address.ts'
import { answerInWords, columnsOf } from '../../pages/results/state/describe-answers.ts'
import { change, duration, percent } from '../../pages/results/state/figures.ts'
import { funnelOf } from '../../pages/results/state/funnel-steps.ts'
import { sortResults } from '../../pages/results/state/sort-results.ts'
import { countedSpread, readSpread } from '../../pages/results/state/spread.ts'
import type { Analytics, FlowOutline, OutlineBlock, Result } from '../../pages/results/state/wire.ts'
import { rangesOf } from '../../pages/shared/period.ts'

const topic: OutlineBlock = {
  id: 'topic',
  type: 'choice input',
  group: 'Welcome',
  kind: 'question',
  words: 'What can we help you with?',
  items: [
    { id: 'i1', words: 'A new website', value: 'website' },
    { id: 'i2', words: 'Ads, and more', value: 'ads' },
  ],
}
const age: OutlineBlock = {
  id: 'age',
  type: 'number input',
  group: 'Welcome',
  kind: 'question',
  words: 'Your age',
}
const logo: OutlineBlock = {
  id: 'logo',
  type: 'image',
  group: 'Welcome',
  kind: 'message',
  words: 'https://a.example/logo.png',
}

const person: OutlineBlock = {
  id: 'person',
  type: 'Handoff',
  group: 'Help',
  kind: 'logic',
  words: 'Handoff',
}

const outline: FlowOutline = {
  publicId: 'shop',
  name: 'Shop',
  version: 'v1',
  locales: ['en'],
  blocks: [logo, topic, age],
  variables: ['Score'],
  theme: {},
}

const resultWith = (answers: Result['answers'], more: Partial<Result> = {}): Result => ({
  id: 'r1',
  flowId: 'shop',
  conversation: 'c1',
  createdAt: '2026-11-21T09:17:01.712Z',
  updatedAt: '2026-11-21T09:17:01.712Z',
  variables: [{ name: 'Score', value: ['3', null] }],
  answers,
  transcript: [],
  logs: [],
  hasStarted: true,
  isCompleted: false,
  ...more,
})

const countsOf = (counts: Partial<Analytics['blocks'][number]>): Analytics['blocks'][number] => ({
  blockId: 'topic',
  shown: 0,
  asked: 0,
  answered: 0,
  refused: 0,
  waiting: 0,
  left: 0,
  ended: 0,
  expired: 0,
  handedOver: 0,
  errors: 0,
  ...counts,
})

describe('a period of results', () => {
  const now = Date.parse('2026-11-26T20:11:00Z')

  it('is set against one of the same length before it', () => {
    expect(rangesOf({ kind: 'latest', days: 7 }, now)).toEqual({
      range: { from: '2026-11-20' },
      before: { from: '2026-11-13', until: '2026-11-19T20:11:00.000Z' },
    })
    expect(rangesOf({ kind: 'own', from: '2026-11-01', until: '2026-11-03' }, now)).toEqual({
      range: { from: '2026-11-01', until: '2026-11-04' },
      before: { from: '2026-10-29', until: '2026-11-01' },
    })
    expect(rangesOf({ kind: 'all' }, now)).toEqual({ range: {} })
  })

  it('comes back from the address with everything else that was chosen', () => {
    const text = fc.string({ minLength: 1 })
    const maybe = fc.option(text, { nil: undefined })
    const day = fc.integer({ min: 10, max: 28 }).map((number) => `2026-11-${number}`)
    const period = fc.oneof(
      fc.record({ kind: fc.constant('latest' as const), days: fc.integer({ min: 1, max: 800 }) }),
      fc.constant({ kind: 'all' as const }),
      fc.tuple(day, day).map(([one, other]) => ({
        kind: 'own' as const,
        from: one < other ? one : other,
        until: one < other ? other : one,
      })),
    )
    const place: fc.Arbitrary<Place> = fc.record({
      flow: maybe,
      view: fc.constantFrom(...views),
      period,
      version: maybe,
      by: fc.constant('version'),
      filter: fc.record({
        text: fc.string(),
        stage: fc.option(fc.constantFrom(...stages), { nil: undefined }),
        leftAt: maybe,
        waitingAt: maybe,
        answeredAt: maybe,
        answer: maybe,
        locale: maybe,
        sort: maybe,
        isRising: fc.boolean(),
      }),
    })
    fc.assert(
      fc.property(place, (chosen) => {
        expect(readPlace(new URLSearchParams(writePlace(chosen)))).toEqual(chosen)
      }),
    )
  })

  it.each(['x', '0', '-3', '2026-11-05..2026-11-01', '2026-13-01..2026-13-02', '1.5'])(
    'is a month where the address has %s',
    (text) => {
      expect(readPlace(new URLSearchParams({ period: text })).period).toEqual({ kind: 'latest', days: 30 })
    },
  )
})

describe('answers in words', () => {
  it('are those of the choices, one or several', () => {
    expect(answerInWords(topic, 'website')).toBe('A new website')
    expect(answerInWords(topic, 'website, ads')).toBe('A new website, Ads, and more')
    expect(answerInWords(topic, 'website, other')).toBe('website, other')
    expect(answerInWords(age, 'website')).toBe('website')
  })

  it('stand in a column for each question, with files beside them', () => {
    const result = resultWith([
      { blockId: 'topic', content: 'website', attachedFileUrls: ['https://a.example/brief.pdf'] },
      { blockId: 'topic', content: 'ads' },
      { blockId: 'gone', content: 'x' },
    ])
    const cells = Object.fromEntries(columnsOf(outline).map(({ key, read }) => [key, read(result)]))
    expect(cells).toMatchObject({
      'answer topic': ['A new website', 'https://a.example/brief.pdf', 'Ads, and more'],
      'answer age': [],
      'variable Score': ['3, '],
      state: ['Not completed'],
    })
  })

  it('are sorted by any column: by numbers and times as such, those without a value last', () => {
    const results = [
      ['a', '9', 3],
      ['b', '10', 1],
      ['c', undefined, 2],
      ['d', '-1', 0],
    ].map(([id, number, minutes]) =>
      resultWith(number === undefined ? [] : [{ blockId: 'age', content: String(number) }], {
        id: String(id),
        updatedAt: `2026-11-21T09:2${minutes}:00.000Z`,
        locale: String(id),
      }),
    )
    const sortedBy = (key: string, isRising: boolean) => {
      const column = columnsOf(outline).find((one) => one.key === key)
      return sortResults(results, column as NonNullable<typeof column>, isRising)
        .map(({ id }) => id)
        .join('')
    }
    expect(sortedBy('answer age', true)).toBe('dabc')
    expect(sortedBy('answer age', false)).toBe('badc')
    expect(sortedBy('answer topic', true)).toBe('abcd')
    expect(sortedBy('lasted', false)).toBe('acbd')
    expect(sortedBy('updated', true)).toBe('dbca')
    expect(sortedBy('locale', false)).toBe('dcba')
  })

  it('are what the visitor saw, in a conversation', () => {
    expect(saidInWords('website', outline)).toBe('A new website')
    expect(saidInWords('Ada', outline)).toBe('Ada')
    expect(messageOf({ text: logo.words, sender: undefined }, outline)).toMatchObject({
      type: 'image',
      content: { url: logo.words },
    })
    expect(
      messageOf({ text: 'Hi **you**\n2 * 3 * 4 [x](javascript:a)', sender: 'Ada' }, outline),
    ).toMatchObject({
      sender: { name: 'Ada' },
      content: {
        richText: [
          { children: [{ text: 'Hi ' }, { text: 'you', bold: true }, { text: '' }] },
          { children: [{ text: '2 ' }, { text: ' 3 ', italic: true }, { text: ' 4 [x](javascript:a)' }] },
        ],
      },
    })
    expect(messageOf({ text: 'https://a.example/cv.pdf', sender: undefined }, outline)).toMatchObject({
      content: { richText: [{ children: [{ type: 'a', url: 'https://a.example/cv.pdf' }, {}] }] },
    })
  })
})

describe('numbers of the page', () => {
  it('lose nobody between a funnel and what was counted', () => {
    const analytics = {
      blocks: [
        countsOf({ blockId: 'topic', asked: 9, left: 5, ended: 2 }),
        countsOf({ blockId: 'logo', ended: 1, left: 1 }),
        countsOf({ blockId: 'person', asked: 6, waiting: 6 }),
        countsOf({ blockId: 'old', asked: 3 }),
        countsOf({ blockId: 'topic', flowId: 'linked', asked: 4 }),
      ],
    } as unknown as Analytics
    const withPerson = { ...outline, blocks: [...outline.blocks, person] }
    const { steps, ends, elsewhere } = funnelOf(withPerson, analytics)
    expect(steps.map(({ block, counts, left }) => [block.id, counts.asked, left])).toEqual([
      ['topic', 9, 3],
      ['age', 0, 0],
      ['person', 6, 0],
    ])
    expect(ends.map(({ block, counts }) => [block.id, counts.ended])).toEqual([
      ['logo', 1],
      ['topic', 2],
    ])
    expect(elsewhere).toBe(7)
  })

  it('count choices of all conversations, and the answers that were read otherwise', () => {
    const items = [
      { blockId: 'topic', itemId: 'i1', count: 3 },
      { blockId: 'topic', itemId: 'i1', flowId: 'linked', count: 50 },
    ]
    expect(countedSpread(topic, { items } as unknown as Analytics)).toEqual({
      bars: [
        { label: 'A new website', count: 3 },
        { label: 'Ads, and more', count: 0 },
      ],
      total: 3,
      isWhole: true,
      others: 0,
    })
    expect(countedSpread(age, { items } as unknown as Analytics)).toBeUndefined()
  })

  it('put each number under one bar, whatever numbers they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
        (numbers) => {
          const results = numbers.map((number) => resultWith([{ blockId: 'age', content: String(number) }]))
          const { bars, total, others } = readSpread(age, results)
          expect(total).toBe(numbers.length)
          expect(others).toBe(0)
          expect(bars.length).toBeLessThanOrEqual(14)
        },
      ),
    )
    const { bars, average } = readSpread(
      age,
      [1, 2, 2, 5].map((number) => resultWith([{ blockId: 'age', content: String(number) }])),
    )
    expect(average).toBe(2.5)
    expect(bars.map(({ label, count }) => [label, count])).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 0],
      ['4', 0],
      ['5', 1],
    ])
  })

  it('are written as people read them', () => {
    expect([percent(0, 0), percent(1, 40), percent(2, 3)]).toEqual(['–', '2.5 %', '67 %'])
    expect([duration(undefined), duration(59), duration(61), duration(7200)]).toEqual([
      '–',
      '59 s',
      '1 min 1 s',
      '2 h 0 min',
    ])
    expect([change(3, 2), change(1, 2), change(2, 2), change(2, 0), change(2, undefined)]).toEqual([
      '+50 %',
      '−50 %',
      '± 0 %',
      undefined,
      undefined,
    ])
  })

  it('ask the service for what a filter says, and for nothing else', () => {
    expect(queryOf(noFilter, 'answers')).toEqual({})
    const filter = {
      ...noFilter,
      text: ' ada ',
      stage: 'left',
      leftAt: 'topic',
      waitingAt: 'age',
      answeredAt: 'topic',
      answer: 'ads',
    } as const
    const everywhere = { text: 'ada', answeredAt: 'topic', answer: 'ads' }
    expect(queryOf(filter, 'answers')).toEqual({
      ...everywhere,
      started: 'true',
      completed: 'false',
      leftAt: 'topic',
    })
    expect(queryOf(filter, 'now')).toEqual({ ...everywhere, waitingAt: 'age' })
  })
})
