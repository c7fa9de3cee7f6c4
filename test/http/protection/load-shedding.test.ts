import { expect, it } from 'vitest'
import { describeOverload, loadShares } from '../../../src/http/protection/load-shedding.ts'
import type { Load } from '../../../src/ports/load-port.ts'
import { adminTokens } from '../../support/admin-tokens.ts'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'

/** A server whose event loop may be 500 ms late and whose heap may hold a million bytes of two, and that carries `load`. */
async function carrying(load: Load) {
  const { chat, published } = recordingChat()
  const loadLimits = { delayMs: 500, heapBytes: 1_000_000, rssBytes: 2_000_000 }
  const readiness = async () => describeOverload(load, loadLimits)
  const { app } = await buildTestApp({
    chat,
    load,
    loadLimits,
    readiness,
    config: { adminTokens: adminTokens('adm1n') },
  })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer adm1n' }
  const post = (url: string) => app.inject({ method: 'POST', url, payload: '{', headers })
  return { app, post, published }
}

const start = '/v1/flows/welcome/startChat'
const preview = '/v1/flows/welcome/preview/startChat'
const logs = '/v2/sessions/s/clientLogs'
const goOn = '/v1/sessions/s/continueChat'
const stream = '/v2/sessions/s/streamMessage'
const offer = '/v3/generate-upload-url'
const update = '/v1/sessions/s/updateFlow'

const idle = { delayMs: 0, heapBytes: 0, rssBytes: 0 }
const late = { ...idle, delayMs: 501 }
const tooLate = { ...idle, delayMs: 1001 }
const full = { ...idle, heapBytes: 1_000_001 }
const tooFull = { ...idle, heapBytes: 1_080_001 }
const large = { ...idle, rssBytes: 2_000_001 }
const tooLarge = { ...idle, rssBytes: 2_100_001 }

it.each([
  [
    { delayMs: 500, heapBytes: 1_000_000, rssBytes: 2_000_000 },
    [],
    [start, preview, logs, goOn, stream, offer, update],
  ],
  [late, [start, preview, logs], [goOn, stream, offer, update]],
  [full, [start, preview, logs], [goOn, stream, offer, update]],
  [large, [start, preview, logs], [goOn, stream, offer, update]],
  [tooLate, [start, preview, logs, goOn, stream, offer, update], []],
  [tooFull, [start, preview, logs, goOn, stream, offer, update], []],
  [tooLarge, [start, preview, logs, goOn, stream, offer, update], []],
])('refuses what is new before what is under way: %j', async (load, refused, taken) => {
  const { post } = await carrying(load)
  // A body that cannot be read is noticed by whoever looks at it.
  for (const url of taken) expect([url, (await post(url)).statusCode]).toEqual([url, 400])
  for (const url of refused) {
    const response = await post(url)
    expect([url, response.statusCode]).toEqual([url, 503])
    expect(response.headers['retry-after']).toBe('1')
    expect(response.json()).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Overloaded: event loop, heap or memory above its limit; try again later',
    })
  }
})

it('always says that it is alive, and why it is not ready', async () => {
  const { app } = await carrying({ delayMs: 1234.5, heapBytes: 2_000_000, rssBytes: 3_000_000 })
  expect((await app.inject('/health')).statusCode).toBe(200)
  expect((await app.inject('/openapi.json')).statusCode).toBe(200)
  const response = await app.inject('/ready')
  expect(response.statusCode).toBe(503)
  expect(response.json().message).toBe(
    'The event loop is late by 1235 ms, more than 500; The heap holds 2000000 bytes, more than 1000000; ' +
      'The process holds 3000000 bytes of memory, more than 2000000',
  )
})

it('takes on work again as soon as it can', async () => {
  const load = { ...late }
  const { app, published } = await carrying(load)
  expect((await app.inject({ method: 'POST', url: start })).statusCode).toBe(503)
  expect(published).toEqual([])
  load.delayMs = 499
  expect((await app.inject({ method: 'POST', url: start })).statusCode).toBe(200)
  expect((await app.inject('/ready')).statusCode).toBe(200)
  expect(published.length).toBe(1)
})

it('shares out the load from 0 to 1, whichever is short', () => {
  const limits = { delayMs: 500, heapBytes: 1000, rssBytes: 4000 }
  const load = { delayMs: 50, utilization: 0.4, heapBytes: 700, rssBytes: 3000 }
  expect(loadShares(load, limits, 0.25)).toEqual({ loop: 0.4, memory: 0.75, queue: 0.25 })
  const over = { delayMs: 1000, utilization: 0.4, heapBytes: 7000, rssBytes: 0 }
  expect(loadShares(over, limits, 0)).toEqual({ loop: 1, memory: 1, queue: 0 })
})
