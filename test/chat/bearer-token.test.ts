import { describe, expect, it } from 'vitest'
import { requireAdmin, requireBearer } from '../../src/chat/bearer-token.ts'

const unauthorized = { code: 'UNAUTHORIZED', message: 'You must be authenticated to access this resource' }

describe('what the operator alone may do', () => {
  it('is allowed with the token', () => {
    expect(() => requireAdmin('t0ken', 'Bearer t0ken')).not.toThrow()
  })

  it.each([undefined, '', 'Bearer t0ke', 'Bearer t0ken2', 'Basic t0ken', 't0ken'])(
    'is refused with "%s"',
    (authorization) => {
      expect(() => requireAdmin('t0ken', authorization)).toThrow(expect.objectContaining(unauthorized))
    },
  )

  it.each([undefined, '', 'Bearer', 'Bearer undefined', 'Bearer x'])(
    'is off where no token is set, with "%s" too',
    (authorization) => {
      const message = expect.stringContaining('ADMIN_TOKEN')
      expect(() => requireAdmin(undefined, authorization)).toThrow(
        expect.objectContaining({ code: 'FORBIDDEN', message }),
      )
    },
  )
})

describe('a bearer token', () => {
  it('is never told in a refusal', () => {
    expect.assertions(1)
    try {
      requireBearer('right-one', 'Bearer wrong-one')
    } catch (error) {
      expect(String(error)).not.toMatch(/right-one|wrong-one/)
    }
  })
})
