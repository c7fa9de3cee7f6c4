import { describe, expect, it } from 'vitest'
import { readPublishedAt } from '../../../src/publication/flow-folder/published-at.ts'

const fileTime = Date.parse('2026-01-02T03:04:05.678Z')

describe('moment of publication', () => {
  it.each([
    ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T09:30:00+01:30', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T06:00:00-0200', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20 08:00:00.5', '2026-11-20T08:00:00.500Z'],
    ['2026-11-20T08:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    [' 2026-11-20T08:00:00.123456z ', '2026-11-20T08:00:00.123Z'],
  ])('reads "%s" as the date that the definition gives', (updatedAt, expected) => {
    expect(readPublishedAt(updatedAt, fileTime)).toBe(expected)
  })

  it.each([
    undefined,
    '',
    'yesterday',
    '1',
    'version 2',
    '20/11/2026',
    '2026-13-01',
    '2026-11-20T25:00:00Z',
    '2026-11-20T08:00:00+99:99',
  ])('falls back on the time of the file for %j', (updatedAt) => {
    expect(readPublishedAt(updatedAt, fileTime)).toBe('2026-01-02T03:04:05.678Z')
  })
})
