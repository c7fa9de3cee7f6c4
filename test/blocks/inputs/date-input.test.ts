import { describe, expect, it } from 'vitest'
import { dateInput } from '../../../src/blocks/inputs/date-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

const now = Date.parse('2026-11-21T09:17:01.712Z')

function prepare(options?: object, variables = {}) {
  const block = { id: 'i1', type: 'date input', ...(options && { options }) }
  return prepareBlock(dateInput, block, { variables, effects: { now } })
}

function judge(text: string, options?: object, variables = {}) {
  const verdict = prepare(options, variables).reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

describe('a reply to a date input', () => {
  it.each([
    ['2024-03-05', {}, '05/03/2024'],
    ['05/03/2024', {}, '05/03/2024'],
    ['12/13/2024', {}, '13/12/2024'],
    ['05/03/2024', { format: 'yyyy-MM-dd' }, '2024-05-03'],
    ['25/12/2024', { format: 'yyyy-MM-dd' }, '2024-12-25'],
    ['2024-03-05T14:30', { hasTime: true }, '05/03/2024 14:30'],
    ['2024-03-05', { hasTime: true }, '05/03/2024 12:00'],
    ['2024-03-05T14:30:00+05:00', { hasTime: true }, '05/03/2024 09:30'],
    ['2024-03-10T02:30', { hasTime: true }, '10/03/2024 02:30'],
    ['I was born the 3rd of July 1990 thanks', {}, '03/07/1990'],
    ['2024-03-05 to 2024-03-09', {}, '05/03/2024'],
    ['2024-03-06', { format: 'EEEE d MMMM yyyy' }, 'Wednesday 6 March 2024'],
    ['2024-03-06T10:00', { hasTime: true, format: 'dd/MM/yyyy' }, '06/03/2024'],
  ])('is read and written: %j with %j', (text, options, content) => {
    expect(judge(text, options)).toBe(content)
  })

  it.each([
    ['5pm', '21/11/2026'],
    ['today', '21/11/2026'],
    ['tomorrow', '22/11/2026'],
    ['in 3 weeks', '12/12/2026'],
  ])('may be relative to the present: %j', (text, content) => {
    expect(judge(text)).toBe(content)
  })

  it.each(['hello', '', '31/02/2024', '1430'])('is refused when it holds no date: %j', (text) => {
    expect(judge(text)).toBe('refused')
  })

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare().reply({ type: 'audio', url: '2024-03-05' })).toMatchObject({ outcome: 'refused' })
    expect(prepare().reply()).toMatchObject({ outcome: 'refused' })
  })

  it('is searched up to 256 characters, and refused beyond', () => {
    expect(judge('2024-03-05'.padEnd(256, ' .'))).toBe('05/03/2024')
    expect(judge('2024-03-05'.padEnd(257, ' .'))).toBe('refused')
  })

  it.each(['1 ', '1 year ', 'in 5 ', '2024-03-05 to ', '12/', '1 minute and ', 'half an '])(
    'comes to an end with junk: %j',
    (piece) => {
      expect(judge(piece.repeat(300).slice(0, 256))).toBeDefined()
      expect(judge(piece.repeat(16_384))).toBe('refused')
    },
  )
})

describe('a range of dates', () => {
  it.each([
    ['2024-03-05 to 2024-03-09', {}, '05/03/2024 to 09/03/2024'],
    ['from 5 March to 9 March 2024', {}, '05/03/2024 to 09/03/2024'],
    ['2024-03-05 to 2024-03-09', { labels: { separator: 'au' } }, '05/03/2024 au 09/03/2024'],
    ['2024-03-05 to 2024-03-09', { labels: { separator: '{{S}}' } }, '05/03/2024 - 09/03/2024'],
    ['2024-03-09 to 2024-03-05', {}, '05/03/2024 to 09/03/2024'],
    ['2024-03-05 to 2024-03-09', { format: 'd MMM yyyy' }, '5 Mar 2024 to 9 Mar 2024'],
    ['2024-03-05', {}, 'refused'],
    ['2024-03-05 to 2024-03-09', { min: '2024-03-06' }, 'refused'],
    ['2024-03-05 to 2024-03-09', { max: '2024-03-08' }, 'refused'],
    ['2024-03-05 to 2024-03-09', { min: '2024-03-05', max: '2024-03-09' }, '05/03/2024 to 09/03/2024'],
  ])('is read from both ends: %j with %j', (text, options, expected) => {
    expect(judge(text, { isRange: true, ...options }, { S: '-' })).toBe(expected)
  })
})

describe('the bounds of a date', () => {
  const day = '2024-03-06'

  it.each([
    ['its own day as the first', day, { min: day }, true],
    ['its own day as the last', day, { max: day }, true],
    ['the day before as the last', day, { max: '2024-03-05' }, false],
    ['the day after as the first', day, { min: '2024-03-07' }, false],
    [
      'a moment of its own day, times being off',
      day,
      { min: '2024-03-06T18:00:00Z', max: '2024-03-06T01:00' },
      true,
    ],
    ['the whole of the last day, times being on', `${day}T23:59`, { hasTime: true, max: day }, true],
    ['the whole of the first day, times being on', `${day}T00:00`, { hasTime: true, min: day }, true],
    ['the same minute', `${day}T10:00`, { hasTime: true, min: `${day}T10:00`, max: `${day}T10:00` }, true],
    ['a later minute as the first', `${day}T10:00`, { hasTime: true, min: `${day}T10:01` }, false],
    ['an earlier minute as the last', `${day}T10:00`, { hasTime: true, max: `${day}T09:59` }, false],
    ['an earlier answer, day first', day, { min: '07/03/2024' }, false],
    ['today as the last', day, { max: 'today' }, true],
    ['junk', day, { min: 'soon', max: 'never' }, true],
    ['nothing', day, { min: '', max: '{{Gone}}' }, true],
  ])('judge a date against %s', (_, text, options, isAccepted) => {
    expect(judge(text, options) !== 'refused').toBe(isAccepted)
  })

  it.each([
    ['2024-03-06T10:00:00.000Z', {}, '2024-03-06'],
    ['2024-03-06T10:00:00.000Z', { hasTime: true }, '2024-03-06T10:00'],
    ['2024-03-06', { hasTime: true }, '2024-03-06'],
    ['tomorrow', {}, 'tomorrow'],
    ['{{Day}}', {}, '2024-03-07'],
    ['{{Day}}', { hasTime: true }, '2024-03-07T08:15'],
    ['{{Gone}}', {}, ''],
  ])('are shown as a date field takes them: %j with %j', (bound, options, expected) => {
    const prepared = prepare({ ...options, min: bound, max: bound }, { Day: '2024-03-07T08:15:00.000Z' })
    expect(prepared.run().input?.value).toEqual({
      id: 'i1',
      type: 'date input',
      options: { ...options, min: expected, max: expected },
    })
  })

  it('are left out when they are empty', () => {
    expect(prepare({ min: '', max: '' }).run().input?.value).toHaveProperty('options', {})
    expect(prepare({}).run().input?.value).toHaveProperty('options', {})
    expect(prepare().run().input?.value).not.toHaveProperty('options')
  })

  it('are part of the one shared piece when they are constant', () => {
    const prepared = prepare({ min: '2024-03-06T10:00:00.000Z' })
    expect(prepared.run().input).toBe(prepared.run().input)
  })
})

describe('the format of a date', () => {
  it.each([
    ['YYYY-MM-DD', '2024-03-06'],
    ['D/M/YY', '6/3/24'],
    ["'DD' yyyy", 'DD 2024'],
    ["d ''yy", "6 '24"],
    ['Do', '66th'],
    ['dd.MM.yyyy HH:mm XXX', '06.03.2024 12:00 Z'],
    ['{{F}}', '2024/03'],
    ['{{Bad}}', '06/03/2024'],
    ['{{Gone}}', '06/03/2024'],
    ['', '06/03/2024'],
  ])('%j writes %s', (format, expected) => {
    const prepared = prepare({ format }, { F: 'yyyy/MM', Bad: 'nope' })
    expect(prepared.findings).toEqual([])
    expect(prepared.reply({ type: 'text', text: '2024-03-06' })).toEqual({
      outcome: 'accepted',
      content: expected,
    })
  })

  it('reads the day first when it starts with one, in either spelling', () => {
    expect(judge('05/03/2024', { format: 'DD/MM/YYYY' })).toBe('05/03/2024')
  })

  it.each(['nope', 'd of MMMM', 'y'.repeat(129)])(
    'gives way to the usual one, and its author is told: %s',
    (format) => {
      const prepared = prepare({ hasTime: true, format })
      expect(prepared.findings).toMatchObject([{ code: 'invalid-option', at: '/options/format' }])
      expect(prepared.reply({ type: 'text', text: '2024-03-06' })).toEqual({
        outcome: 'accepted',
        content: '06/03/2024 12:00',
      })
    },
  )
})
