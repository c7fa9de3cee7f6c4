import { describe, expect, it } from 'vitest'
import { type CallIdentity, createCallNames } from '../../../src/conversations/effects/call-key.ts'
import type { OutgoingRequest } from '../../../src/engine/model/effect-payloads.ts'

const caller = { sessionId: 's1', revision: 3, said: { type: 'text', text: 'one chair' } }
const post: OutgoingRequest = {
  method: 'POST',
  url: 'https://a.example',
  headers: [],
  body: '1',
  timeoutMs: 1,
}

function keysOf(by: CallIdentity, ...requests: readonly OutgoingRequest[]) {
  return requests.map(createCallNames(by)).map(({ headers }) => new Map(headers).get('idempotency-key'))
}

const [first] = keysOf(caller, post)

describe('the key of a call', () => {
  it('is the same when its turn is repeated, whatever was called before and how long it may take', () => {
    const again = { ...caller, said: { ...caller.said } }
    expect(keysOf(again, { ...post, url: 'https://login.example' }, { ...post, timeoutMs: 2 })[1]).toBe(first)
  })

  it.each<[string, CallIdentity]>([
    ['another message at the same revision', { ...caller, said: { type: 'text', text: 'five tables' } }],
    ['a turn without a message', { ...caller, said: undefined }],
    ['the next turn', { ...caller, revision: 4 }],
    ['another session', { ...caller, sessionId: 's2' }],
    ['a stream beside the turn', { ...caller, callScope: 'stream' }],
    ['a start', { sessionId: 's1', said: caller.said }],
  ])('is another for %s', (_what, other) => {
    expect(keysOf(other, post)).not.toEqual([first])
  })

  it.each<[string, Partial<OutgoingRequest>]>([
    ['method', { method: 'PUT' }],
    ['address', { url: 'https://a.example/?b' }],
    ['body', { body: '2' }],
    ['bytes', { bytes: Buffer.from('1') }],
  ])('is another where the %s differs', (_what, sent) => {
    expect(keysOf(caller, { ...post, ...sent })).not.toEqual([first])
  })

  it('tells equal calls of a turn apart', () => {
    const keys = keysOf(caller, post, post, post)
    expect([new Set(keys).size, keys[0]]).toEqual([3, first])
    expect(keysOf(caller, post, post, post)).toEqual(keys)
  })

  it('says nothing about the session', () => {
    expect(first).toMatch(/^[\da-f]{64}$/)
  })
})

describe('a request', () => {
  it('keeps the key that its flow sets', () => {
    expect(keysOf(caller, { ...post, headers: [['idempotency-key', 'own']] })).toEqual(['own'])
    const headers = [['Idempotency-Key', 'own']] as const
    expect(createCallNames(caller)({ ...post, headers }).headers).toEqual(headers)
  })

  it.each(['GET', 'head', 'OPTIONS'])('that changes nothing has none: %s', (method) => {
    expect(keysOf(caller, { ...post, method })).toEqual([undefined])
  })
})
