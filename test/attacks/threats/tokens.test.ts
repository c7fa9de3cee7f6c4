import { expect, it, vi } from 'vitest'
import { textInput } from '../../fixtures/short-flows.ts'
import { adminTokens } from '../../support/admin-tokens.ts'
import { buildTestApp } from '../../support/build-test-app.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { openService } from './open-service.ts'

const compared: [number, number][] = []

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return {
    ...crypto,
    timingSafeEqual(left: Buffer, right: Buffer) {
      compared.push([left.length, right.length])
      return crypto.timingSafeEqual(left, right)
    },
  }
})

it('A token is found out by the time that its check takes', async () => {
  const flow = wholeDefinition({ blocks: [textInput('i1')] })
  const { preview } = await openService([], { previewToken: 'preview-t0ken' })
  for (const given of ['p', 'preview-t0ke', 'preview-t0ken-and-more', 'preview-t0kem']) {
    expect((await preview({ flow }, { authorization: `Bearer ${given}` })).status).toBe(401)
  }
  // Each is compared whole, and in a form whose length does not tell that of the token.
  expect(compared).toEqual(Array(4).fill([32, 32]))
})

it('A token is found by trying many', async () => {
  const tokens = { previewToken: 'preview-t0ken', adminTokens: adminTokens('ab') }
  const { app, logLines } = await buildTestApp({ config: { ...tokens, rateLimitMax: 5, metricsToken: 'm' } })
  const guess = async (token: string, url = '/v1/flows') =>
    (await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode
  const urls = ['/v1/flows', '/metrics', '/published-flows/f', '/v1/audit', '/v1/flows']
  for (const url of urls) expect([401, 403]).toContain(await guess('aa', url))
  await vi.waitFor(async () => expect(await guess('aa')).toBe(429))
  expect(await guess('ab')).toBe(429)
  expect(logLines.filter(({ level }) => level === 40).map(({ msg }) => msg)).toEqual([
    'a wrong token was sent',
    'an address has sent as many wrong tokens as it may in a minute: its tokens are refused',
  ])
  expect(JSON.stringify(logLines)).not.toContain('Bearer')
})
