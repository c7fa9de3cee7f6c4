import { describe, expect, it } from 'vitest'
import { callKey, withCallKey } from '../../../src/chat/effects/call-key.ts'

const owner = { sessionId: 's1', revision: 3 }
const post = { method: 'POST', url: 'https://a.example', headers: [], timeoutMs: 1 } as const

describe('the key of a call', () => {
  it('is the same when its turn is repeated', () => {
    expect(callKey({ ...owner }, 1)).toBe(callKey(owner, 1))
  })

  it.each([
    ['another call of the turn', owner, 2],
    ['the next turn', { ...owner, revision: 4 }, 1],
    ['another session', { ...owner, sessionId: 's2' }, 1],
    ['a stream beside the turn', { ...owner, callScope: 'stream' as const }, 1],
    ['a start', { sessionId: 's1' }, 1],
  ])('is another for %s', (_what, other, number) => {
    expect(callKey(other, number)).not.toBe(callKey(owner, 1))
  })

  it('says nothing about the session', () => {
    expect(callKey(owner, 1)).toMatch(/^[\da-f]{64}$/)
  })
})

describe('a request', () => {
  it('carries the key', () => {
    expect(withCallKey(post, 'k1').headers).toEqual([['idempotency-key', 'k1']])
  })

  it('keeps the key that its flow sets', () => {
    const request = { ...post, headers: [['Idempotency-Key', 'own']] as const }
    expect(withCallKey(request, 'k1').headers).toEqual(request.headers)
  })

  it.each(['GET', 'head', 'OPTIONS'])('that changes nothing has none: %s', (method) => {
    expect(withCallKey({ ...post, method }, 'k1').headers).toEqual([])
  })
})
