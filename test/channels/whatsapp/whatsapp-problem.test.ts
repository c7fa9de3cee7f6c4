import { describe, expect, it } from 'vitest'
import { problemOf } from '../../../src/channels/whatsapp/whatsapp-problem.ts'

/** By the page "Error codes" of the Cloud API: what each asks of the sender. */
const asked = {
  wait: [1, 2, 4, 80_007, 130_429, 131_000, 131_016, 131_056, 131_057, 133_004],
  account: [
    0, 3, 10, 33, 190, 200, 219, 299, 368, 131_005, 131_031, 131_037, 131_042, 131_045, 131_048, 133_010,
  ],
  window: [131_047],
  never: [
    ...[
      100, 130_472, 130_497, 131_008, 131_009, 131_021, 131_026, 131_030, 131_049, 131_050, 131_051, 131_052,
    ],
    ...[131_053, 131_062, 132_000, 132_001, 132_005, 132_007, 132_012, 132_015, 132_016, 135_000],
  ],
}

describe('an error of WhatsApp', () => {
  it.each(Object.entries(asked))('means %s', (kind, codes) => {
    for (const code of codes) expect([code, problemOf({ code }, 400).kind]).toEqual([code, kind])
  })

  it('is judged by the status where the code is unknown', () => {
    const kinds = [400, 404, 401, 403, 429, 500, 503].map(
      (status) => problemOf({ code: 999_999 }, status).kind,
    )
    expect(kinds).toEqual(['never', 'never', 'account', 'account', 'wait', 'wait', 'wait'])
    expect(problemOf({}, 502)).toEqual({ kind: 'wait', message: 'The answer was 502' })
  })

  it('says that the number is gone, where parameters are only wrong else', () => {
    const error = { code: 100, error_subcode: 33, message: 'Unsupported post request.' }
    expect(problemOf(error, 400)).toEqual({ kind: 'account', message: '100: Unsupported post request.' })
  })

  it('says when to come back, and never more than a few lines', () => {
    expect(problemOf({ code: 131_056, message: 'Pair rate' }).retryAfterMs).toBe(6_000)
    expect(problemOf({ code: 1, message: 'x'.repeat(9_000) }).message.length).toBeLessThan(520)
  })
})
