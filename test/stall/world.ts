import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Json = Record<string, unknown>

/** An answer of the service, however long it took. */
export interface Answer {
  readonly status: number
  readonly body: Json
}

/** What the rows of the suite do their worst with. */
export interface World {
  /** Sends a body of JSON, or whatever else the text is. */
  post(path: string, body: Json | string): Promise<Answer>
  /** Starts a draft; the id of its session. */
  preview(flow: Json, more?: Json): Promise<string>
  say(sessionId: string, message: unknown): Promise<Answer>
  /** Reads a streamed answer to its end. */
  stream(sessionId: string): Promise<string>
  readonly other: OtherSystem
}

/** A system that flows ask, and that models are at. */
export interface OtherSystem {
  readonly url: string
  /** Decides what is answered from now on. */
  answerWith(body: string, contentType?: string): void
  close(): void
}

export async function startOtherSystem(): Promise<OtherSystem> {
  let answer = { body: '{}', contentType: 'application/json' }
  const server = createServer(async (request, response) => {
    await text(request)
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
  const send = (path: string, body: Json | string) =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const post = async (path: string, body: Json | string) => {
    const response = await send(path, body)
    // What is refused for want of room was not measured.
    if (response.status === 503) throw new Error(`${path} was answered 503: ${await response.text()}`)
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    post,
    other,
    async preview(flow, more = {}) {
      const { status, body } = await post('/v1/flows/draft/preview/startChat', { flow, ...more })
      if (status !== 200)
        throw new Error(`A draft was answered ${status}: ${JSON.stringify(body).slice(0, 500)}`)
      return String(body['sessionId'])
    },
    say: (sessionId, message) => post(`/v1/sessions/${sessionId}/continueChat`, { message }),
    stream: async (sessionId) => (await send(`/v2/sessions/${sessionId}/streamMessage`, {})).text(),
  }
}

/** One of the largest requests of its kind. */
export interface Row {
  readonly name: string
  /** Gets everything ready, and returns the request that is watched. */
  prepare(world: World): (() => Promise<unknown>) | Promise<() => Promise<unknown>>
}
