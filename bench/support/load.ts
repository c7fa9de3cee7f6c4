import autocannon from 'autocannon'
import { percentile } from './figures.ts'
import type { PinnedProcess } from './pinned-process.ts'

/** A request that is sent again and again. */
export interface LoadRequest {
  readonly path: string
  readonly body: string
}

/** What is sent to a server. */
export interface Load {
  readonly connections: number
  /** In turn, by each connection. */
  readonly requests?: (connection: number) => readonly LoadRequest[]
  /** Makes the request that is sent next, by whichever connection: for what must never be the same twice. */
  readonly next?: () => LoadRequest
  /** By all connections, where the server is not to set the pace. */
  readonly perSecond?: number | undefined
}

/** What a server did under load. */
export interface Round {
  readonly requests: number
  readonly requestsPerSecond: number
  /** Server time a request, its threads and the system included. */
  readonly cpuMicroseconds: number
  /** Share of a core that the server was busy: below 0.95 it was not the server that set the pace. */
  readonly busy: number
  readonly p50: number
  readonly p99: number
}

/** Longer than any answer takes on a machine that is busy with other things, in seconds. */
const patience = 60

const headers = { 'content-type': 'application/json' }

/** Loads a server for some seconds. Throws when anything but success is answered. */
export async function loadServer(server: PinnedProcess, load: Load, seconds: number): Promise<Round> {
  const times: number[] = []
  const cpuBefore = server.cpuMs()
  const startedAt = performance.now()
  let endedAt = startedAt
  const result = await send(server.address, load, {
    seconds,
    onAnswer: (ms) => {
      times.push(ms)
      endedAt = performance.now()
    },
  })
  const cpuMs = server.cpuMs() - cpuBefore
  const passedMs = endedAt - startedAt
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0 || times.length === 0)
    throw new Error(`${failed} of ${times.length} requests failed: ${JSON.stringify(result.statusCodeStats)}`)
  return {
    requests: times.length,
    requestsPerSecond: (times.length / passedMs) * 1000,
    cpuMicroseconds: (cpuMs / times.length) * 1000,
    busy: cpuMs / passedMs,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }
}

function send(
  address: string,
  { connections, requests, next, perSecond }: Load,
  { seconds, onAnswer }: { seconds: number; onAnswer(ms: number): void },
): Promise<autocannon.Result> {
  let connection = 0
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url: address,
        connections,
        duration: seconds,
        timeout: patience,
        ...(perSecond !== undefined && { overallRate: perSecond }),
        method: 'POST',
        headers,
        ...(next && { requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }] }),
        setupClient(client) {
          const given = requests?.(connection++)
          if (given) client.setRequests(given.map((request) => ({ ...request, method: 'POST', headers })))
        },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    instance.on('response', (_client, _status, _bytes, ms) => onAnswer(ms))
  })
}
