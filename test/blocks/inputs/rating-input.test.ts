import { describe, expect, it } from 'vitest'
import { ratingInput } from '../../../src/blocks/inputs/number-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

function prepare(options: object = {}, variables = {}) {
  return prepareBlock(ratingInput, { id: 'i1', type: 'rating input', options } as never, { variables })
}

function judge(text: string, options: object = {}, variables = {}) {
  const verdict = prepare(options, variables).reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

describe('a reply to a rating input', () => {
  it.each([
    ['4', {}, '4'],
    ['0', {}, '0'],
    ['10', {}, '10'],
    ['10', { length: 0 }, '10'],
    ['5', { length: 5, buttonType: 'Icons' }, '5'],
    ['1', { buttonType: 'Icons' }, '1'],
    ['3', { startsAt: 3 }, '3'],
    ['3', { startsAt: '{{S}}' }, '3'],
    [' 3 ', {}, '3'],
    ['1e1', {}, '10'],
    ['-2', { startsAt: -5 }, '-2'],
    ['1.5', { startsAt: 0.5 }, '1.5'],
  ])('is accepted when it is on the scale: %j with %j', (text, options, content) => {
    expect(judge(text, options, { S: '3' })).toBe(content)
  })

  it.each([
    ['abc', {}],
    ['4 stars', {}],
    ['11', {}],
    ['6', { length: 5 }],
    ['-4', {}],
    ['5.5', {}],
    ['NaN', {}],
    ['-Infinity', {}],
    ['0', { startsAt: 1 }],
    ['2', { startsAt: '{{S}}' }],
    ['0', { buttonType: 'Icons' }],
    ['0', { buttonType: 'Icons', startsAt: 0 }],
  ])('is refused when it is not: %j with %j', (text, options) => {
    expect(judge(text, options, { S: '3' })).toBe('refused')
  })

  it.each(['', '  '])('is no answer when empty, where zero is on the scale: %j', (text) => {
    expect(judge(text)).toBe('')
    expect(judge(text, { startsAt: 1 })).toBe('refused')
    expect(judge(text, { buttonType: 'Icons' })).toBe('refused')
  })

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare().reply({ type: 'audio', url: '4' })).toMatchObject({ outcome: 'refused' })
    expect(prepare().reply()).toMatchObject({ outcome: 'refused' })
  })
})

it('shows where the scale starts as a number', () => {
  const labels = { left: 'Bad', right: 'Good' }
  expect(prepare({ length: 5, startsAt: '{{S}}', labels }, { S: '1' }).run().input?.value).toEqual({
    id: 'i1',
    type: 'rating input',
    options: { length: 5, startsAt: 1, labels },
  })
})

it('puts variables into the icon of a rating', () => {
  const customIcon = { isEnabled: true, svg: '<svg fill="{{C}}"/>' }
  expect(prepare({ customIcon }, { C: 'red' }).run().input?.value).toHaveProperty(
    'options.customIcon.svg',
    '<svg fill="red"/>',
  )
})
