import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'

export type Json = Record<string, unknown>

/** An answer of the service, however long it took. */
export interface Answer {
  readonly status: number
  readonly body: Json
}

/** What the rows of the suite do their worst with. */
export interface World {
  /** Sends a body of JSON, or whatever else the text is. */
  post(path: string, body: Json | string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends what is answered without a body; the status of it. */
  notify(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<number>
  /** Reads what is there; throws for anything else. */
  read(path: string): Promise<Json>
  /** Starts a draft; the id of its session. */
  preview(flow: Json, more?: Json): Promise<string>
  say(sessionId: string, message: unknown): Promise<Answer>
  /** Reads a streamed answer to its end; that of version 1 is a text, and of the other API. */
  stream(sessionId: string, version?: 'v1' | 'v2'): Promise<string>
  /** Opens a stream of events or traces; resolves with what closes it, whatever was answered. */
  follow(sessionId: string, what: 'events' | 'trace'): Promise<() => void>
  /** Sends a form with the boundary `x` to an address of the service, whatever is answered. */
  sendForm(url: string, form: string): Promise<unknown>
  /** Opens a socket for each of these results, which waits for their webhooks until the service ends. */
  openRooms(resultIds: readonly string[]): Promise<void>
  readonly other: OtherSystem
}

/** A system that flows ask, and that models are at. */
export interface OtherSystem {
  readonly url: string
  /** Decides what is answered from now on. */
  answerWith(body: string, contentType?: string): void
  close(): void
}

/** Where accounts log in at the other system, whatever it answers elsewhere. */
export const tokenPath = '/token'

export async function startOtherSystem(): Promise<OtherSystem> {
  let answer = { body: '{}', contentType: 'application/json' }
  const server = createServer(async (request, response) => {
    await text(request)
    if (request.url === tokenPath) return void response.end('{"access_token":"t","expires_in":3600}')
    response.setHeader('content-type', answer.contentType).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    answerWith(body, contentType = 'application/json') {
      answer = { body, contentType }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const token = 'stall-suite'

export function createWorld(address: string, other: OtherSystem): World {
  const send: (...given: Parameters<World['post']>) => Promise<Response> = (path, body, headers) =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const post: World['post'] = async (path, body, headers) => {
    const response = await send(path, body, headers)
    // What is refused for want of room was not measured.
    if (response.status === 503) throw new Error(`${path} was answered 503: ${await response.text()}`)
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    post,
    other,
    async notify(path, body, headers) {
      const response = await send(path, body, headers)
      await response.arrayBuffer()
      return response.status
    },
    async read(path) {
      const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })
      if (!response.ok) throw new Error(`${path} was answered ${response.status}`)
      return (await response.json()) as Json
    },
    async preview(flow, more = {}) {
      const { status, body } = await post('/v1/flows/draft/preview/startChat', { flow, ...more })
      if (status !== 200)
        throw new Error(`A draft was answered ${status}: ${JSON.stringify(body).slice(0, 500)}`)
      return String(body['sessionId'])
    },
    say: (sessionId, message) => post(`/v1/sessions/${sessionId}/continueChat`, { message }),
    async stream(sessionId, version = 'v2') {
      const api = version === 'v1' ? '/api' : ''
      return (await send(`${api}/${version}/sessions/${sessionId}/streamMessage`, {})).text()
    },
    async follow(sessionId, what) {
      const closing = new AbortController()
      await fetch(`${address}/v1/sessions/${sessionId}/${what}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
        signal: closing.signal,
      })
      return () => closing.abort()
    },
    async sendForm(url, form) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      // What is refused before its end is cut off.
      const { pathname, search } = new URL(url)
      return fetch(address + pathname + search, { method: 'POST', headers, body: form }).catch(
        () => undefined,
      )
    },
    async openRooms(resultIds) {
      for (const resultId of resultIds)
        await once(
          new WebSocket(`${address.replace('http', 'ws')}/parties/main/${resultId}/webhooks`),
          'open',
        )
    },
  }
}

/** One of the largest requests of its kind. */
export interface Row {
  readonly name: string
  /** Gets everything ready, and returns the request that is watched. */
  prepare(world: World): (() => Promise<unknown>) | Promise<() => Promise<unknown>>
}
