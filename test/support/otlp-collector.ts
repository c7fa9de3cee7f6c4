import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { openOtlpSpans } from '../../src/adapters/telemetry/otlp-spans.ts'
import type { Json } from './json.ts'

/** A span as OTLP writes it. */
export interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Json }[]
  readonly events?: readonly { readonly name: string }[]
  readonly status: { readonly code?: number }
}

/** A collector of OTLP over HTTP, with what it was sent. */
export async function startCollector(status = 200) {
  const bodies: Json[] = []
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json') {
      bodies.push(JSON.parse(text))
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const sent = () =>
    bodies.flatMap((body) =>
      (body['resourceSpans'] as { scopeSpans: { spans: SentSpan[] }[] }[]).flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    )
  return { endpoint: `http://127.0.0.1:${port}`, bodies, sent }
}

/** Spans that go to a collector of their own; `collected` ends them, and returns what it was sent. */
export async function startTracing({ capturesMessages = false, hosts = [] as readonly string[] } = {}) {
  const { endpoint, sent, bodies } = await startCollector()
  const propagatesTo = new Set(hosts)
  const terms = { endpoint, maxSpans: 100, capturesMessages, propagatesTo }
  const spans = await openOtlpSpans({ ...terms, count: () => undefined })
  const collected = async () => {
    await spans.close()
    return sent()
  }
  return { spans, collected, bodies }
}

export const attributesOf = ({ attributes }: SentSpan): Json =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
