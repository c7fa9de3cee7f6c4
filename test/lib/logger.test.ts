import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'

/** The line that an error leaves in the log. */
function logged(err: unknown): Record<string, unknown> & { err: Record<string, unknown> } {
  const lines: string[] = []
  createLogger('info', { write: (line) => void lines.push(line) }).error({ err }, 'it failed')
  return JSON.parse(lines.join(''))
}

/** What the host of the code throws when it is given these words. */
function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('an error in the log', () => {
  it('has its kind, its code and where it was thrown', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:6379'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    expect(logged(error)).toMatchObject({
      msg: 'it failed',
      err: {
        type: 'Error',
        message: 'connect ECONNREFUSED 10.0.0.1:6379',
        code: 'ECONNREFUSED',
        syscall: 'connect',
        stack: expect.stringMatching(/^ {4}at .*logger\.test\.ts:\d+/),
      },
    })
  })

  it('has its causes, as far as they are of use', () => {
    const circle = new Error('outer')
    circle.cause = new Error('inner', { cause: circle })
    const line = logged(circle)
    expect(line.err).toMatchObject({
      message: 'outer',
      cause: { message: 'inner', cause: { message: 'outer' } },
    })
    expect(JSON.stringify(line).length).toBeLessThan(20_000)
  })

  it.each([
    'MEMORY_MAX_BYTES is spent',
    'The turn of the session and/or its result took too long',
    'The answer has a content-security-policy-header that is too long',
    'Not sent within 30 s (UPLOADS_MAX_BYTES, OUTBOUND_ALLOW_EVERYTHING)',
  ])('keeps its text where it is a sentence of the service: %s', (message) => {
    expect(logged(new Error(message)).err).toMatchObject({ message })
  })

  it.each<[string, unknown]>([
    ['text that is no JSON', thrownBy(() => JSON.parse('{"a": hush}'))],
    ['an address that is none', thrownBy(() => new URL('http://hush hush'))],
    ['a time zone that is none', thrownBy(() => new Intl.DateTimeFormat('en', { timeZone: 'hush' }))],
    ['a number that is none', thrownBy(() => BigInt('hush'))],
    ['a pattern that is none', thrownBy(() => new RegExp(['hush', '('].join('')))],
    ['a key', thrownBy(() => (undefined as unknown as Record<string, unknown>)['hush'])],
    ['words in quotes', new Error('no user "hush", no \'hush\', no `hush`')],
    ['the path of a file', Object.assign(new Error("EACCES, open '/uploads/hush/1.png'"), { path: 'hush' })],
    ['an address', new Error('no answer of https://shop.example/hush')],
    ['the path of a file without quotes', new Error('no room for /hush/1.png and uploads/hush/2.png')],
    ['a token in capitals', new Error('could not keep HUSH1STGXR8Z5JDHI6BHUSHhush')],
    ['the id of a session', new Error('could not keep live:hushV1StGXR8_Z5jdHi6B-')],
    ['lines that look like places', new TypeError('no\n    at hush (hush.ts:1:1)')],
    [
      'what a library hangs to it',
      Object.assign(new Error('failed'), { detail: 'hush', input: { a: 'hush' } }),
    ],
    ['a cause', new Error('failed', { cause: thrownBy(() => JSON.parse('hush')) })],
    ['what is no error', 'hush'],
    ['an object that is no error', { message: 'hush' }],
  ])('never repeats %s', (_, error) => {
    expect(JSON.stringify(logged(error))).not.toContain('hush')
  })

  it('has no message when it is all that is logged', () => {
    const lines: string[] = []
    createLogger('info', { write: (line) => void lines.push(line) }).error(new TypeError('hush'))
    expect(JSON.parse(lines.join(''))).toMatchObject({
      level: 50,
      msg: 'unexpected TypeError',
      err: { type: 'TypeError' },
    })
    expect(lines.join('')).not.toContain('hush')
  })
})
