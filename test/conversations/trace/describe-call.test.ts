import { expect, it } from 'vitest'
import { describeCall } from '../../../src/conversations/trace/describe-call.ts'

const request = {
  type: 'request',
  request: {
    method: 'POST',
    url: 'https://user:word@a.example/orders?api_key=k1&page=2',
    headers: [
      ['Authorization', 'Bearer k2'],
      ['Content-Type', 'application/json'],
      ['X-Custom', 'k3'],
    ],
    body: '{"name":"Ada","auth":{"password":"k4"}}',
    timeoutMs: 1000,
  },
} as const
const response = { kind: 'response', status: 201, text: '{"token":"k5","id":7}' } as const

it('masks what an address, headers and bodies hold of secrets', () => {
  expect(describeCall(request, response, { isTrusted: true })).toEqual({
    request: {
      method: 'POST',
      url: 'https://a.example/orders?api_key=***&page=2',
      headers: { Authorization: '***', 'Content-Type': 'application/json', 'X-Custom': '***' },
      body: { name: 'Ada', auth: { password: '***' } },
    },
    answer: { kind: 'response', status: 201, body: { token: '***', id: 7 } },
  })
})

it('shows a stranger neither headers nor bodies', () => {
  expect(describeCall(request, response, { isTrusted: false })).toEqual({
    request: { method: 'POST', url: 'https://a.example/orders?api_key=***&page=2', bodyLength: 39 },
    answer: { kind: 'response', status: 201, bodyLength: 21 },
  })
})

it('says of a mail how many get it, and of a token nothing', () => {
  const mail = {
    credentialsId: 'c1',
    to: ['ada@a.example'],
    cc: [],
    bcc: ['bob@a.example'],
    subject: 'Hello',
    text: 'Hi',
    attachments: [],
  }
  const refused = { kind: 'refused', message: 'no' } as const
  expect(describeCall({ type: 'mail', mail }, refused, { isTrusted: true })).toEqual({
    request: { people: 2, subject: 'Hello', length: 2 },
    answer: refused,
  })
  const asked = { vendor: 'V', credentialsId: undefined, claims: {} }
  const token = { kind: 'token', token: 'k6' } as const
  expect(describeCall({ type: 'signToken', request: asked }, token, { isTrusted: true })).toEqual({
    answer: { kind: 'token' },
  })
})

it.each([
  ['is no JSON', 'k=v', 'k=v'],
  ['is too long to look through', `"${'x'.repeat(40_000)}"`, { length: 40_002 }],
  ['is a list', '[{"apiKey":"k1"},1]', [{ apiKey: '***' }, 1]],
])('shows a body that %s', (_what, text, body) => {
  const answer = { kind: 'response', status: 200, text } as const
  expect(describeCall(request, answer, { isTrusted: true }).answer).toMatchObject({ body })
})
