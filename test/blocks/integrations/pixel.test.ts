import { describe, expect, it } from 'vitest'
import type { PixelBlock } from '../../../schemas/blocks/integrations.ts'
import { pixel } from '../../../src/blocks/integrations/pixel.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { runBlock } from '../../support/run-block.ts'

function block(options?: PixelBlock['options']): PixelBlock {
  return { id: 'b1', type: 'Pixel', ...(options && { options }) }
}

const deep = '['.repeat(5000) + ']'.repeat(5000)
const variables: Record<string, Value> = {
  Total: '12.5',
  Truth: 'true',
  Gap: null,
  Name: 'Ada',
  Ids: ['7', 'b'],
  Nothing: 'undefined',
  Deep: deep,
}

function eventOf(options: PixelBlock['options']) {
  const [action] = runBlock(pixel, block(options), { variables }).actions ?? []
  return action?.type === 'pixel' ? action.pixel : undefined
}

describe('Pixel', () => {
  it('sends an event with everything that it is given', () => {
    const options: PixelBlock['options'] = {
      pixelId: '{{Name}}',
      isInitSkip: false,
      eventType: 'Custom',
      name: 'Order of {{Name}}',
      params: [{ id: 'p1', key: 'value', value: '{{Total}}' }],
    }
    expect(runBlock(pixel, block(options), { variables })).toEqual({
      actions: [
        {
          type: 'pixel',
          pixel: {
            pixelId: '{{Name}}',
            isInitSkip: false,
            eventType: 'Custom',
            name: 'Order of Ada',
            params: [{ id: 'p1', key: 'value', value: 12.5 }],
          },
        },
      ],
    })
  })

  it.each([
    ['42', 42],
    ['{{Truth}}', true],
    ['null', null],
    ['["a"]', ['a']],
    ['{{Ids}}', ['7', 'b']],
    ['{"a":"1"}', { a: '1' }],
    ['{{Name}} x', 'Ada x'],
    ['0612', '0612'],
    [7, 7],
    [null, null],
    [
      ['{{Name}}', '2', '{{Gap}}', 3],
      ['Ada', 2, null, 3],
    ],
    [
      { name: '{{Name}}', age: '7', none: '{{Gap}}' },
      { name: 'Ada', age: 7 },
    ],
    [deep, deep],
    ['{{Deep}}', deep],
  ])('types the parameter %j', (value, typed) => {
    const event = eventOf({ pixelId: 'p', eventType: 'Lead', params: [{ id: 'p1', key: 'k', value }] })
    expect(event?.params).toEqual([{ id: 'p1', key: 'k', value: typed }])
  })

  it.each(['', '{{Gap}}', 'undefined', '{{Nothing}}', undefined])('leaves out the value %j', (value) => {
    const params = [{ id: 'p1', key: 'k', ...(value !== undefined && { value }) }]
    expect(eventOf({ pixelId: 'p', eventType: 'Lead', params })?.params).toEqual([{ id: 'p1', key: 'k' }])
  })

  it('keeps keys and the name texts, and leaves them out when empty', () => {
    const params = [
      { key: '42', value: 1 },
      { id: 'p2', key: '{{Gap}}', value: 2 },
    ]
    expect(eventOf({ pixelId: 'p', eventType: 'Custom', name: '42', params })).toMatchObject({
      name: '42',
      params: [
        { key: '42', value: 1 },
        { id: 'p2', value: 2 },
      ],
    })
    expect(eventOf({ pixelId: 'p', eventType: 'Custom', name: '{{Gap}}' })).toEqual({
      pixelId: 'p',
      eventType: 'Custom',
    })
  })

  it('leaves out what its definition may hold besides', () => {
    const params = [{ id: 'p1', key: 'k', value: 1, note: 'n' }]
    const options: PixelBlock['options'] & { note: string } = {
      pixelId: 'p',
      eventType: 'Lead',
      params,
      note: 'n',
    }
    expect(eventOf(options)).toEqual({
      pixelId: 'p',
      eventType: 'Lead',
      params: [{ id: 'p1', key: 'k', value: 1 }],
    })
  })

  it.each([
    undefined,
    {},
    { pixelId: 'p' },
    { pixelId: '', eventType: 'Lead' as const },
    { eventType: 'Lead' as const },
  ])('sends nothing for %j', (options) => {
    expect(runBlock(pixel, block(options))).toEqual({})
  })

  it('sends nothing from a preview', () => {
    expect(runBlock(pixel, block({ pixelId: 'p', eventType: 'Lead' }), { isLive: false })).toEqual({})
  })

  it.each([
    [{ pixelId: '{{P}}' }, { pixelIds: ['{{P}}'] }],
    [{ pixelId: 'p', isInitSkip: false }, { pixelIds: ['p'] }],
    [{ pixelId: 'p', isInitSkip: true }, {}],
    [{ pixelId: '' }, {}],
    [undefined, {}],
  ])('has the client load, for %j: %j', (options, props) => {
    expect(pixel.startProps?.(block(options))).toEqual(props)
  })

  it('always passes', () => {
    expect(pixel.isPassThrough?.(block())).toBe(true)
  })
})
