import { describe, expect, it } from 'vitest'
import { timeInput } from '../../../src/blocks/inputs/date-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

const now = Date.parse('2026-11-21T09:17:01.712Z')

function prepare(options: object = {}) {
  return prepareBlock(timeInput, { id: 'i1', type: 'time input', options } as never, { effects: { now } })
}

function judge(text: string, options: object = {}) {
  const verdict = prepare(options).reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

describe('a reply to a time input', () => {
  it.each([
    ['14:30', {}, '14:30'],
    ['2:30 pm', {}, '14:30'],
    ['14:30', { format: 'hh:mm a' }, '02:30 PM'],
    ['noon', {}, '12:00'],
    ['in 5 minutes', {}, '09:22'],
    ['2024-03-05', {}, '12:00'],
    ['14:30', { format: 'DD HH:mm' }, '21 14:30'],
    ['14:30', { format: 'YYYY' }, '2026'],
    ['14:30', { format: 'nope' }, '14:30'],
  ])('is read and written: %j with %j', (text, options, content) => {
    expect(judge(text, options)).toBe(content)
  })

  it.each(['1430', '14h30', '25:00', 'half past two', 'hello', ''])(
    'is refused when it holds no time: %j',
    (text) => {
      expect(judge(text)).toBe('refused')
    },
  )

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare().reply({ type: 'audio', url: '14:30' })).toMatchObject({ outcome: 'refused' })
    expect(prepare().reply()).toMatchObject({ outcome: 'refused' })
  })
})

it('warns the author of a format that cannot be used', () => {
  expect(prepare({ format: 'nope' }).findings).toMatchObject([
    { code: 'invalid-option', at: '/options/format' },
  ])
  expect(prepare({ format: 'hh:mm a' }).findings).toEqual([])
})

it('shows the format of a time input', () => {
  const options = { format: 'hh:mm a', labels: { button: 'Go' } }
  expect(prepare(options).run().input?.value).toEqual({ id: 'i1', type: 'time input', options })
})
