import { expect, it } from 'vitest'
import { contentHash } from '../../src/definition/content-hash.ts'

it('names a text by its SHA-256, in characters that are safe in an address', () => {
  expect(contentHash('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU')
  expect(contentHash('{"id":"flow-1"}')).not.toBe(contentHash('{"id":"flow-2"}'))
  expect(contentHash('é😀')).toMatch(/^[\w-]{43}$/)
})
