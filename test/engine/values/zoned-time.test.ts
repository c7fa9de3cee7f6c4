import { describe, expect, it } from 'vitest'
import { formatInZone } from '../../../src/engine/values/zoned-time.ts'
import { fixedNow } from '../../support/fixed-ports.ts'

describe('formatInZone', () => {
  it.each([
    ['Europe/Paris', '2026-11-21T10:17:01+01:00'],
    ['Asia/Kolkata', '2026-11-21T14:47:01+05:30'],
    ['America/St_Johns', '2026-11-21T05:47:01-03:30'],
    ['UTC', '2026-11-21T09:17:01Z'],
    ['Z', '2026-11-21T09:17:01Z'],
    ['+02:00', '2026-11-21T11:17:01+02:00'],
    ['-0930', '2026-11-20T23:47:01-09:30'],
    ['+14', '2026-11-21T23:17:01+14:00'],
    ['europe/paris', '2026-11-21T10:17:01+01:00'],
  ])('writes a moment in %s', (zone, text) => {
    expect(formatInZone(fixedNow, zone)).toBe(text)
  })

  it('follows the clocks of a zone through the year', () => {
    expect(formatInZone(Date.parse('2026-07-01T12:00:00Z'), 'Europe/Paris')).toBe('2026-07-01T14:00:00+02:00')
  })

  it('writes midnight as the hour 00', () => {
    expect(formatInZone(Date.parse('2026-11-20T23:00:00Z'), 'Europe/Paris')).toBe('2026-11-21T00:00:00+01:00')
  })

  it.each(['Mars/Olympus', '+25:00', '+02:60', 'x'.repeat(70_000)])('knows no zone named %.20s', (zone) => {
    expect(formatInZone(fixedNow, zone)).toBeUndefined()
  })
})
