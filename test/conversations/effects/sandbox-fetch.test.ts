import { describe, expect, it } from 'vitest'
import { createSandboxFetch } from '../../../src/conversations/effects/code/sandbox-fetch.ts'
import type { OutgoingRequest, RequestOutcome } from '../../../src/engine/model/effect-payloads.ts'

/** What code that fetches this gets, and what is sent for it. */
async function fetched(init: unknown, outcome: RequestOutcome = { kind: 'response', status: 200, text: '' }) {
  const sent: OutgoingRequest[] = []
  const text = await createSandboxFetch(async (request) => {
    sent.push(request)
    return outcome
  })('https://a.example/x', init)
  return { text, request: sent[0] }
}

const plain = { method: 'GET', url: 'https://a.example/x', headers: [], timeoutMs: 10_000 }

describe('the request of code', () => {
  it.each<[string, unknown, Partial<OutgoingRequest>]>([
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['no object', 'POST', {}],
    ['a method in small letters', { method: 'post' }, { method: 'POST' }],
    ['a body', { method: 'PUT', body: '{"a":1}' }, { method: 'PUT', body: '{"a":1}' }],
    ['an empty body', { method: 'PUT', body: '' }, { method: 'PUT', body: '' }],
    ['a body that is no text', { body: 12 }, { body: '12' }],
    ['no body', { body: null }, {}],
    ['headers by name', { headers: { 'X-A': 'b', N: 1 } }, { headers: [['X-A', 'b'], ['N', '1']] }], // biome-ignore format: a table
    ['headers in pairs', { headers: [['X-A', 'b'], 'odd', ['N', 1]] }, { headers: [['X-A', 'b'], ['N', '1']] }], // biome-ignore format: a table
    ['headers that are none', { headers: 7 }, {}],
  ])('is made of what came along: %s', async (_name, init, more) => {
    expect((await fetched(init)).request).toEqual({ ...plain, ...more })
  })
})

describe('what code gets', () => {
  it.each([200, 404, 500])('is the text of a response, whatever its status: %d', async (status) => {
    expect((await fetched({}, { kind: 'response', status, text: '<p>' })).text).toBe('<p>')
  })

  it.each<[string, RequestOutcome, string]>([
    ['a response that takes too long', { kind: 'timeout' }, 'The request timed out'],
    ['a failure', { kind: 'failed', message: 'The connection was closed' }, 'The connection was closed'],
    ['a refusal', { kind: 'refused', reason: 'A loopback address' }, 'A loopback address'],
    ['a preview', { kind: 'off', reason: 'Not from here' }, 'Not from here'],
  ])('is an error for %s', async (_name, outcome, message) => {
    await expect(fetched({}, outcome)).rejects.toThrow(message)
  })
})
