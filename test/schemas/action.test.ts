import type { TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { ClientSideAction } from '../../schemas/action.ts'
import { tagsOf } from '../../schemas/tagged-union.ts'
import { createAjv } from '../../src/definition/lazy-validator.ts'

const script = { content: 'alert(vName)', args: [{ id: 'vName', value: ['a', null] }, { id: 'vGap' }] }

const samples = {
  scriptToExecute: { scriptToExecute: { ...script, isUnsafe: true } },
  setVariable: {
    setVariable: { scriptToExecute: { ...script, isCode: false } },
    expectsDedicatedReply: true,
  },
  redirect: { redirect: { url: 'https://shop.example', isNewTab: true }, lastBubbleBlockId: 't1' },
  wait: { wait: { secondsToWaitFor: 1.5 }, expectsDedicatedReply: false },
  listenForWebhook: { expectsDedicatedReply: true },
  httpRequestToExecute: {
    httpRequestToExecute: { url: 'https://a.example', method: 'GET', headers: { 'X-A': '1' }, body: [1] },
    expectsDedicatedReply: true,
  },
  stream: { stream: true, expectsDedicatedReply: true },
  streamOpenAiChatCompletion: {
    streamOpenAiChatCompletion: { messages: [{ role: 'user', content: 'Hi' }] },
    expectsDedicatedReply: true,
  },
  codeToExecute: { codeToExecute: { args: { id: 1 }, content: 'go()' } },
  chatwoot: { chatwoot: { scriptToExecute: script } },
  googleAnalytics: { googleAnalytics: { trackingId: 'G-1', action: 'a', value: 1 } },
  pixel: { pixel: { pixelId: 'p', eventType: 'Lead', params: [{ id: 'x', key: 'k', value: { a: 1 } }] } },
  startPropsToInject: { startPropsToInject: { googleAnalyticsId: 'G-1', pixelIds: ['p'], gtmId: 'GTM-1' } },
}

const isAction = createAjv().compile(ClientSideAction)

describe('ClientSideAction', () => {
  it('knows every type of action, and no other', () => {
    const known = (ClientSideAction['oneOf'] as TSchema[]).flatMap((member) => tagsOf(member))
    expect(known.sort()).toEqual(Object.keys(samples).sort())
    expect(isAction({ type: 'unknown' })).toBe(false)
  })

  it.each(Object.entries(samples))('describes %s, and lets nothing else through', (type, sample) => {
    expect(isAction({ type, ...sample })).toBe(true)
    expect(isAction({ type, ...sample, extra: 1 })).toBe(false)
  })

  it.each([
    'setVariable',
    'listenForWebhook',
    'httpRequestToExecute',
    'stream',
    'streamOpenAiChatCompletion',
  ] as const)('has %s always wait for the client', (type) => {
    expect(isAction({ type, ...samples[type], expectsDedicatedReply: false })).toBe(false)
  })
})
