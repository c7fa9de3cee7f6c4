import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { type ProbedService, startProbedService } from '../fuzz/probed-service.ts'

const mebibyte = 1024 * 1024

/** What all who wait may add to the heap together. */
const most = 32 * mebibyte

const waiting = 1_000

/** What only waits is neither refused for what came before it, nor pushed out. */
const variables = {
  TRUST_PROXY: '1',
  RATE_LIMIT_MAX: '0',
  MAX_EVENT_LOOP_DELAY_MS: '60000',
  MEMORY_MAX_BYTES: String(32 * 1024 * mebibyte),
  WEBHOOK_WAIT_SECONDS: '600',
}

/** A flow whose session takes a megabyte, and waits at this block. */
const largeFlow = (last: Json) =>
  wholeDefinition({
    blocks: [
      ...Array.from({ length: 15 }, (_, nth) =>
        setVariable(`s${nth}`, `v${nth}`, { expressionToEvaluate: 'x'.repeat(65_000) }),
      ),
      last,
    ],
    variables: Array.from({ length: 15 }, (_, nth) => variable(`${nth}`)),
  })

const begin = async (address: string, flow: Json, trace = false): Promise<string> => {
  const answer = await fetch(`${address}/v1/flows/large/preview/startChat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ flow, trace }),
  })
  return ((await answer.json()) as { sessionId: string }).sessionId
}

const open: ClientRequest[] = []

afterEach(() => {
  for (const each of open.splice(0)) each.destroy()
})

/** Sends what is not answered to its end, as if from one of many addresses; resolves once it is answered or waits. */
function send(url: string, { method = 'GET', nth = 0 } = {}): ClientRequest {
  const sent = request(url, {
    method,
    agent: false,
    headers: { accept: 'text/event-stream', 'x-forwarded-for': `192.0.2.${nth % 50}` },
  })
  open.push(sent.on('error', () => undefined))
  return sent.end()
}

const statusOf = (sent: ClientRequest) =>
  new Promise<number | undefined>((resolve, reject) => {
    sent.on('error', reject).on('response', (answer: IncomingMessage) => resolve(answer.resume().statusCode))
  })

async function startService(): Promise<ProbedService> {
  return startProbedService({ folder: '.', variables }, () => undefined)
}

/** What the heap holds more than before. */
async function growthOf(service: ProbedService, work: () => Promise<void>): Promise<number> {
  await service.measure()
  const before = (await service.measure()).heapUsed
  await work()
  return (await service.measure()).heapUsed - before
}

const connectionsOf = async (address: string) => {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  return Number(/^flow_runtime_store_entries\{store="connections"\} (\d+)$/m.exec(metrics)?.[1])
}

const health = async (address: string) => (await fetch(`${address}/health`)).status

describe('what waits holds nothing', { timeout: 240_000 }, () => {
  it.each(['events', 'trace'])('in a thousand streams of %s', async (kind) => {
    const service = await startService()
    const { address } = service
    const flow = largeFlow(textInput('i'))
    const sessions: string[] = []
    while (sessions.length < waiting / 5) sessions.push(await begin(address, flow, kind === 'trace'))
    const growth = await growthOf(service, async () => {
      for (let nth = 0; nth < waiting; nth++) {
        const path = `/v1/sessions/${sessions[nth % sessions.length]}/${kind}`
        expect(await statusOf(send(`${address}${path}`, { nth }))).toBe(200)
      }
    })
    await service.stop()
    console.info(`${growth} bytes`)
    expect(growth).toBeLessThan(most)
  })

  it('in a thousand requests before a webhook', async () => {
    const service = await startService()
    const { address } = service
    const flow = largeFlow({ id: 'hook', type: 'webhook' })
    const sessions: string[] = []
    while (sessions.length < waiting / 10) sessions.push(await begin(address, flow))
    const early: unknown[] = []
    const growth = await growthOf(service, async () => {
      for (let nth = 0; nth < waiting; nth++) {
        const url = `${address}/v1/sessions/${sessions[nth % sessions.length]}/continueChat`
        statusOf(send(url, { method: 'POST', nth })).then(
          (s) => early.push(s),
          () => early.push('cut off'),
        )
        // Not all at once: each restores a session of a megabyte.
        if (nth % 10 === 0) expect(await health(address)).toBe(200)
      }
      await expect.poll(() => connectionsOf(address)).toBeGreaterThan(waiting)
    })
    expect(early).toEqual([])
    await service.stop()
    console.info(`${growth} bytes`)
    expect(growth).toBeLessThan(most)
  })

  it('in a process with a heap of 512 MB, which a flood of streams does not end', async () => {
    const args = ['--max-old-space-size=512', 'dist/bin/flow-runtime.js']
    const { address, child, stop } = await startBuiltService(
      { TRUST_PROXY: '1', RATE_LIMIT_MAX: '0' },
      { args },
    )
    const flow = largeFlow(textInput('i'))
    const statuses = new Map<unknown, number>()
    for (let session = 0; session < 450; session++) {
      const sessionId = await begin(address, flow)
      for (let nth = 0; nth < 5; nth++) {
        const status = await statusOf(send(`${address}/v1/sessions/${sessionId}/events`, { nth: session }))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect(await health(address)).toBe(200)
    }
    expect(child.exitCode).toBe(null)
    expect(statuses).toEqual(
      new Map([
        [200, 2_000],
        [429, 250],
      ]),
    )
    await stop()
  })
})
