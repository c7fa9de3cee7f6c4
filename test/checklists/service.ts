import { expect } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'
import { type Endpoint, wholeDefinition } from '../support/conformance.ts'
import {
  beginPreview,
  beginPublished,
  createTestChat,
  type Started,
  type TestChat,
} from '../support/start.ts'

export type Json = Record<string, unknown>

/** What came back over HTTP. */
export interface Answer {
  readonly status: number
  readonly body: Json
}

/** The real server around the real use cases, as a client sees it. */
export interface Service {
  readonly world: TestChat
  post(url: string, payload?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Starts the published flow `flow-1`. */
  start(body?: Json, headers?: Record<string, string>): Promise<Answer>
  preview(flow: Json, body?: Json, headers?: Record<string, string>): Promise<Answer>
  goOn(sessionId: unknown, body?: Json, headers?: Record<string, string>): Promise<Answer>
}

/** Serves definitions, which may be as short as those of conformance cases. */
export async function serve(
  definitions: readonly Json[] = [],
  options: Parameters<typeof createTestChat>[1] = {},
): Promise<Service> {
  const world = createTestChat(definitions.map(wholeDefinition), options)
  const { app } = await buildTestApp({ chat: world.chat })
  const post: Service['post'] = async (url, payload, headers = {}) => {
    const body = payload === undefined ? {} : { payload: payload as object }
    const answer = await app.inject({ method: 'POST', url, headers, ...body })
    return { status: answer.statusCode, body: answer.json() }
  }
  return {
    world,
    post,
    start: (body = {}, headers) => post('/v1/flows/flow-1/startChat', body, headers),
    preview: (flow, body = {}, headers) =>
      post('/v1/flows/flow-1/preview/startChat', { flow: wholeDefinition(flow), ...body }, headers),
    goOn: (sessionId, body = {}, headers) =>
      post(`/v1/sessions/${String(sessionId)}/continueChat`, body, headers),
  }
}

/** What a conversation begins with. */
export interface Opening {
  readonly body?: Json
  readonly linked?: readonly Json[] | undefined
  readonly random?: readonly number[] | undefined
  readonly endpoint?: Endpoint
}

/** A conversation in markdown, of which every answer so far was a 200. */
export interface Talk {
  /** The response of the start. */
  readonly first: Json
  readonly service: Service
  /** Says something, or nothing. */
  say(message?: unknown): Promise<Json>
  /** Goes on without expecting anything of the answer. */
  goOn(body?: Json): Promise<Answer>
}

const markdown = { textBubbleContentFormat: 'markdown' }

/** Begins a conversation on a definition, by default a published one. */
export async function talk(definition: Json, opening: Opening = {}): Promise<Talk> {
  const { body = {}, linked = [], random, endpoint = 'public' } = opening
  const service = await serve(endpoint === 'public' ? [definition, ...linked] : linked, { random })
  const whole = { ...markdown, ...body }
  const first = succeeded(
    await (endpoint === 'public' ? service.start(whole) : service.preview(definition, whole)),
  )
  const goOn: Talk['goOn'] = (next) => service.goOn(first['sessionId'], next)
  const say: Talk['say'] = async (message) =>
    succeeded(await goOn({ ...markdown, ...(message !== undefined && { message }) }))
  return { first, service, say, goOn }
}

/** The body of an answer that is a success. */
export function succeeded({ status, body }: Answer): Json {
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

/** Begins a conversation on a definition without a server around it, which tables of cases need not wait for. */
export function begin(
  definition: Json,
  { body, linked = [], random, endpoint }: Opening = {},
): Promise<Started> {
  const start = endpoint === 'preview' ? beginPreview : beginPublished
  return start({
    definition: wholeDefinition(definition),
    linked: linked.map(wholeDefinition),
    body: { ...markdown, ...body },
    random,
  })
}

/** The first response to a definition. */
export async function startOf(definition: Json, opening?: Opening): Promise<Json> {
  return (await begin(definition, opening)).response
}

/** What the text bubbles of a response say, in either format. */
export function texts(response: Json): string[] {
  return (response['messages'] as { content: Json }[]).map(
    ({ content }) => (content['markdown'] as string | undefined) ?? leavesOf(content['richText']),
  )
}

function leavesOf(nodes: unknown): string {
  return (nodes as { text?: string; children?: unknown }[])
    .map(({ text, children }) => text ?? leavesOf(children))
    .join('')
}

/** The actions of a response. */
export const actionsOf = (response: Json) => (response['clientSideActions'] ?? []) as Json[]

/** The logs of a response. */
export const logsOf = (response: Json) => (response['logs'] ?? []) as Json[]

/** The input that a response asks for, by its id. */
export const askedFor = (response: Json) => (response['input'] as Json | undefined)?.['id']

/** The refusal of a session that is not there. */
export const noSession = { status: 404, body: { code: 'NOT_FOUND', message: 'Session not found.' } }
