import { expect, it } from 'vitest'
import { parseByteRange } from '../../../src/http/response/send-file.ts'

it.each([
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=0-1', { start: 0, end: 1 }],
  ['bytes=4-4', { start: 4, end: 4 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=4-99', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
])('finds the part of ten bytes that %s asks for', (header, part) => {
  expect(parseByteRange(header, 10)).toEqual(part)
})

it.each([
  undefined,
  '',
  'bytes=-',
  'bytes=-0',
  'bytes=10-',
  'bytes=5-4',
  'bytes=0-1,4-5',
  'lines=0-1',
  'bytes=a-b',
  `bytes=0-${'9'.repeat(99)}`,
])('answers %s with the whole', (header) => {
  expect(parseByteRange(header, 10)).toBeUndefined()
})

it.each(['bytes=0-', 'bytes=-1', 'bytes=0-0'])('finds no part in an empty file: %s', (header) => {
  expect(parseByteRange(header, 0)).toBeUndefined()
})
