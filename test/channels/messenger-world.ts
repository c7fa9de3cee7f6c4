import { onTestFinished } from 'vitest'
import { parseAllowList } from '../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../src/adapters/http-client/http-client.ts'
import type { InboundRequest } from '../../src/channels/messenger.ts'
import { httpAnswer, startRawHttpServer } from '../support/raw-http-server.ts'

/** What a call of a messenger needs; files of flows may come from this machine unless `allow` says otherwise. */
export function openCalls({ allow = '127.0.0.1' } = {}) {
  const http = createHttpClient({ allow: parseAllowList(allow) })
  const controller = new AbortController()
  onTestFinished(() => http.close())
  return { http, closing: controller.signal, close: () => controller.abort() }
}

/** Closes a provider when the test is over. */
export async function untilTestEnds<Fake extends { close(): void }>(starting: Promise<Fake>): Promise<Fake> {
  const fake = await starting
  onTestFinished(() => fake.close())
  return fake
}

/** A webhook that keeps what comes to it. */
export async function openWebhook(status: (nth: number) => number = () => 200) {
  const received: InboundRequest[] = []
  const server = await startRawHttpServer(({ headers, target, bytes }, nth) => {
    const { pathname, searchParams } = new URL(target, 'http://here')
    const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
    received.push({
      headers: Object.fromEntries(headers),
      query: Object.fromEntries(searchParams),
      url: pathname,
      body: Buffer.from(body),
    })
    return httpAnswer(status(nth))
  })
  return { url: `${server.url}/webhook`, received }
}

/** A file at an address. */
export async function openFile(
  type: string,
  {
    size = 10,
    status = 200,
    isLengthTold = true,
  }: { size?: number; status?: number; isLengthTold?: boolean } = {},
) {
  const server = await startRawHttpServer(() => {
    if (isLengthTold) return httpAnswer(status, Buffer.alloc(size), { 'content-type': type })
    const head = `HTTP/1.1 ${status} Answer\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n`
    return (socket) => void socket.end(Buffer.concat([Buffer.from(head), Buffer.alloc(size)]))
  })
  return { url: `${server.url}/file`, requests: server.requests }
}
