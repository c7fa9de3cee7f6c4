import { describe, expect, it } from 'vitest'
import type { GoogleAnalyticsBlock } from '../../../schemas/blocks/integrations.ts'
import { googleAnalytics } from '../../../src/blocks/integrations/google-analytics.ts'
import { runBlock } from '../../support/run-block.ts'

function analytics(options?: GoogleAnalyticsBlock['options']): GoogleAnalyticsBlock {
  return { id: 'b1', type: 'Google Analytics', ...(options && { options }) }
}

const variables = { Total: '12.5', Comma: '12,5', Gap: null, Name: 'Ada', Truth: 'true' }

function eventOf(options: GoogleAnalyticsBlock['options']) {
  const [action] = runBlock(googleAnalytics, analytics(options), { variables }).actions ?? []
  return action?.type === 'googleAnalytics' ? action.googleAnalytics : undefined
}

describe('Google Analytics', () => {
  it('sends an event, leaving out what is empty', () => {
    const options = { trackingId: 'G-1', action: 'purchase', value: '{{Total}}', label: '{{Gap}}' }
    expect(runBlock(googleAnalytics, analytics(options), { variables })).toEqual({
      actions: [
        { type: 'googleAnalytics', googleAnalytics: { trackingId: 'G-1', action: 'purchase', value: 12.5 } },
      ],
    })
  })

  it('keeps every other field a text', () => {
    const options = {
      trackingId: '1',
      category: '{{Truth}}',
      action: '42',
      label: 'Hi {{Name}}',
      sendTo: '{{Total}}',
    }
    expect(eventOf(options)).toEqual({
      trackingId: '1',
      category: 'true',
      action: '42',
      label: 'Hi Ada',
      sendTo: '12.5',
    })
  })

  it.each([
    [7, 7],
    [0, 0],
    ['7', 7],
    ['1,5', 1.5],
    ['{{Comma}}', 12.5],
    ['{{Name}}', undefined],
    ['{{Gap}}', undefined],
    ['{{Truth}}', undefined],
    ['', undefined],
  ])('reads the value %j as %j', (value, number) => {
    expect(eventOf({ value })).toEqual(number === undefined ? {} : { value: number })
  })

  it('sends nothing from a preview', () => {
    expect(runBlock(googleAnalytics, analytics({ trackingId: 'G-1' }), { isLive: false })).toEqual({})
  })

  it('does nothing without options', () => {
    expect(runBlock(googleAnalytics, analytics())).toEqual({})
  })

  it.each([
    [{ trackingId: '{{Id}}' }, { googleAnalyticsId: '{{Id}}' }],
    [{ trackingId: '' }, {}],
    [undefined, {}],
  ])('has the client load, for %j: %j', (options, props) => {
    expect(googleAnalytics.startProps?.(analytics(options))).toEqual(props)
  })

  it('always passes', () => {
    expect(googleAnalytics.isPassThrough?.(analytics())).toBe(true)
  })
})
