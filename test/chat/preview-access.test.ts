import { describe, expect, it } from 'vitest'
import { previewAccess } from '../../src/chat/preview-access.ts'

const unauthorized = {
  name: 'ServiceError',
  code: 'UNAUTHORIZED',
  message: 'You must be authenticated to access this resource',
}

describe('a preview where a token is set', () => {
  it.each([
    'Bearer t0ken',
    'bearer t0ken',
    'BEARER t0ken',
    'bEaReR t0ken',
    'Bearer    t0ken',
    'Bearer t0ken   ',
  ])('is trusted with "%s"', (authorization) => {
    expect(previewAccess('t0ken', authorization)).toBe('trusted')
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    't0ken',
    'Bearert0ken',
    'Basic t0ken',
    'Bearer Bearer t0ken',
    'Bearer T0KEN',
    'Bearer t0ke',
    'Bearer t0ken2',
    'Bearer t0ken, Bearer t0ken',
    'Bearer t0ken t0ken',
    'Bearer "t0ken"',
    'Token t0ken',
    `Bearer ${'x'.repeat(100_000)}`,
  ])('is refused with "%.30s"', (authorization) => {
    expect(() => previewAccess('t0ken', authorization)).toThrow(expect.objectContaining(unauthorized))
  })

  it('compares every character, those beyond ASCII included', () => {
    expect(previewAccess('gehéim-🎈', 'Bearer gehéim-🎈')).toBe('trusted')
    expect(() => previewAccess('gehéim-🎈', 'Bearer geheim-🎈')).toThrow()
  })
})

describe('a preview where no token is set', () => {
  it.each([undefined, '', 'Bearer', 'Bearer anything', 'Bearer undefined'])(
    'is open, and gains nothing by "%s"',
    (authorization) => {
      expect(previewAccess(undefined, authorization)).toBe('open')
    },
  )
})
