import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type AnsweredRequest, createRequestLog } from '../../src/http/request-log.ts'
import { sessionHash } from '../../src/lib/session-hash.ts'

const request: AnsweredRequest = {
  id: 'b15dd159-7338-4bfc-a6ed-cbbe533cf123',
  method: 'POST',
  route: '/v1/flows/:publicId/startChat',
  status: 200,
  ms: 1.23456,
}

/** A log whose clock stands still, and its lines. */
function createTestLog(level: string, bindings: object = {}) {
  const lines: string[] = []
  const options = { level, timestamp: () => ',"time":1795282133332' }
  const log = pino(options, { write: (line) => lines.push(line) }).child(bindings)
  return { log, lines }
}

describe('the line of a request', () => {
  it.each([{}, { service: 'a "quoted" name' }])('is what the log itself would write, with %j', (bindings) => {
    const { log, lines } = createTestLog('info', bindings)
    createRequestLog(log)(request)
    log.info(
      {
        requestId: request.id,
        method: 'POST',
        route: '/v1/flows/:publicId/startChat',
        status: 200,
        ms: 1.235,
      },
      'request',
    )
    expect(lines.length).toBe(2)
    expect(lines[0]).toBe(lines[1])
  })

  it('names the flow and what its turn took, whatever the flow is called', () => {
    const { log, lines } = createTestLog('info')
    const summary = { flow: 'a"b\\c\n', blocks: 3, engineMs: 0.12345, hasErrorLogs: true }
    createRequestLog(log)({ ...request, turn: { ...summary, sessionId: 'secret' } })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ...summary, engineMs: 0.123, msg: 'request' })
    expect(lines[0]).not.toContain('secret')
  })

  it.each(['/health', '/ready'])('is not written of a probe unless it failed: %s', (route) => {
    const { log, lines } = createTestLog('info')
    const observe = createRequestLog(log)
    for (const status of [200, 503]) observe({ ...request, method: 'GET', route, status })
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([503])
  })

  it('names the flow of a request that ran no turn', () => {
    const { log, lines } = createTestLog('info')
    createRequestLog(log)({ ...request, session: { flow: 'a"b', sessionId: 'secret' } })
    createRequestLog(log)({ ...request, session: undefined })
    expect(lines.map((line) => JSON.parse(line).flow)).toEqual(['a"b', undefined])
    expect(lines.map((line) => JSON.parse(line).conversation)).toEqual([sessionHash('secret'), undefined])
    expect(lines.join()).not.toContain('secret')
  })

  it.each([
    ['trace', 1],
    ['info', 1],
    ['warn', 0],
    ['silent', 0],
  ])('is written or not: at %s, %d', (level, count) => {
    const { log, lines } = createTestLog(level)
    createRequestLog(log)(request)
    expect(lines.length).toBe(count)
  })
})
