import { describe, expect, it } from 'vitest'
import { redirect } from '../../../src/blocks/logic/client-steps.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { runBlock } from '../../support/run-block.ts'

function redirectTo(options?: object, variables: Record<string, Value> = {}) {
  const block = { id: 'b1', type: 'Redirect', ...(options && { options }) }
  return runBlock(redirect, block, { variables })
}

const empty = { status: 'error', context: 'Redirect', description: 'The address to redirect to is empty' }

describe('Redirect', () => {
  it.each([
    ['https://ex.com', 'https://ex.com'],
    ['http://ex.com', 'http://ex.com'],
    ['mailto:ada@mail.example', 'mailto:ada@mail.example'],
    ['tel:+336', 'tel:+336'],
    ['sms:+336', 'sms:+336'],
    ['HTTPS://ex.com', 'HTTPS://ex.com'],
    ['MailTo:ada@mail.example', 'MailTo:ada@mail.example'],
    ['httpfoo', 'httpfoo'],
    ['  https://ex.com ', 'https://ex.com'],
    ['ex.com/{{V}}?q=a b', 'https://ex.com/1?q=a b'],
    ['/path', 'https:///path'],
    ['javascript:alert(1)', 'https://javascript:alert(1)'],
    [' javascript:alert(1)', 'https://javascript:alert(1)'],
    ['{{Template}}/x', '{{V}}/x'],
    ['{{}}', '{{}}'],
    ['{{}', 'https://{{}'],
  ])('sends %j to %j', (url, sent) => {
    expect(redirectTo({ url }, { V: '1', Template: '{{V}}' })).toEqual({
      actions: [{ type: 'redirect', redirect: { url: sent } }],
    })
  })

  it.each([true, false])('repeats isNewTab when it is %s', (isNewTab) => {
    expect(redirectTo({ url: 'https://ex.com', isNewTab })).toEqual({
      actions: [{ type: 'redirect', redirect: { url: 'https://ex.com', isNewTab } }],
    })
  })

  it.each([undefined, {}, { url: '' }])('does nothing when its options are %j', (options) => {
    expect(redirectTo(options)).toEqual({})
  })

  it.each(['{{V}}', ' {{V}} '])('tells that the address %j ends up empty', (url) => {
    expect(redirectTo({ url }, { V: null })).toEqual({ logs: [empty] })
  })

  it('always passes', () => {
    expect(redirect.isPassThrough?.({ id: 'b1', type: 'Redirect' })).toBe(true)
  })
})
