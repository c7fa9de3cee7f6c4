import { expect, it, vi } from 'vitest'
import { textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
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
