import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { fixedNow } from '../../support/fixed-ports.ts'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'

const account = { conversationsKeyId: 'key-1', conversationsSecretKey: 'secret-of-the-shop' }

async function tokenOf(options: Record<string, unknown>) {
  const { response } = await runVendorBlock({
    type: 'zendesk',
    account,
    options: { action: 'Open Web Widget', webWidgetKey: 'w1', ...options },
  })
  const [action] = response['clientSideActions'] as { codeToExecute: { args: Record<string, string> } }[]
  const { token = '' } = action?.codeToExecute.args ?? {}
  const [header = '', payload = '', signature] = token.split('.')
  const expected = createHmac('sha256', account.conversationsSecretKey).update(`${header}.${payload}`)
  expect(signature).toBe(expected.digest('base64url'))
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: decode(header), claims: decode(payload) }
}

it('logs the visitor in for ten minutes', async () => {
  const { header, claims } = await tokenOf({ userId: 'u1', name: 'Ada', email: 'ada@mail.example' })
  expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'key-1' })
  expect(claims).toEqual({
    scope: 'user',
    external_id: 'u1',
    name: 'Ada',
    email: 'ada@mail.example',
    exp: Math.floor(fixedNow / 1000) + 600,
  })
})

it('vouches for an address only when the flow does', async () => {
  const { claims } = await tokenOf({ userId: 'u1', email: 'ada@mail.example', isEmailVerified: true })
  expect(claims).toMatchObject({ email_verified: 'true' })
})
