import { onTestFinished } from 'vitest'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { Log } from '../../../schemas/log.ts'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { previewRequest } from '../../support/preview-request.ts'
import { type RawAnswer, type RawRequest, startRawHttpServer } from '../../support/raw-http-server.ts'
import { sandbox } from '../../support/sandbox.ts'
import { createTestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

/** A flow of one block that sends a request, and the server that takes it. */
export interface Sending {
  readonly type?: string
  /** Path and query, or a whole address. */
  readonly url?: string
  readonly webhook?: Json
  readonly options?: Json
  /** By name; the id of `Name` is `vName`. */
  readonly variables?: Readonly<Record<string, Value>>
  /** What a visitor says to inputs before the block. */
  readonly replies?: readonly { readonly text: string; readonly variableId?: string }[]
  readonly answer?: (request: RawRequest, index: number) => RawAnswer | Promise<RawAnswer>
  /** Hosts that may be reached; the server of the test unless something is given. */
  readonly allowed?: string
  readonly limits?: ChatDependencies['limits']
}

/** What the server got, and what the flow made of its answer. */
export interface Sent {
  readonly requests: readonly RawRequest[]
  readonly port: number
  /** Values after the block, by name. */
  readonly variables: Readonly<Record<string, Value>>
  /** What a visitor is told, and what is stored for the author. */
  readonly toldLogs: readonly Log[]
  readonly storedLogs: readonly Log[]
}

/** Publishes a flow with the block and starts it once: through the real client for requests, and the real sandbox. */
export async function send(sending: Sending): Promise<Sent> {
  const server = await startRawHttpServer(sending.answer)
  const { chat, results } = chatFor(sending, server.url)
  let response = parseWire(await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} }))
  const sessionId = String(response['sessionId'])
  for (const { text } of sending.replies ?? []) {
    const body: ContinueChatBody = { message: { type: 'text', text } }
    response = parseWire(await chat.continue({ caller: anonymous, sessionId, origin: undefined, body }))
  }
  const result = await results.get('flow-1', 'result-1')
  const found = (result?.variables ?? []).map(({ name, value }) => [name, value] as const)
  return {
    requests: server.requests,
    port: server.port,
    variables: Object.fromEntries(found),
    toldLogs: (response['logs'] ?? []) as Log[],
    storedLogs: result?.logs ?? [],
  }
}

/** The same as a preview that may send; what its author is told. */
export async function previewLogs(sending: Sending, previewHttp: 'on' | 'auto' = 'on'): Promise<Log[]> {
  const server = await startRawHttpServer(sending.answer)
  const { chat, flow } = chatFor(sending, server.url, previewHttp)
  const response = await chat.startPreview(previewRequest({ flow }))
  return (parseWire(response)['logs'] ?? []) as Log[]
}

function chatFor(sending: Sending, serverUrl: string, previewHttp: 'on' | 'auto' = 'auto') {
  const { limits } = sending
  const flow = definitionOf(sending, serverUrl)
  const http = createHttpClient({ allow: parseAllowList(sending.allowed ?? '127.0.0.1') })
  onTestFinished(() => http.close())
  return { ...createTestChat([flow], { http, sandbox, previewHttp, ...(limits && { limits }) }), flow }
}

function definitionOf(sending: Sending, at: string) {
  const { type = 'Webhook', url = '/', webhook, options, variables = {}, replies = [] } = sending
  const address = url.startsWith('/') ? at + url : url.replace('{server}', at)
  const block = { id: 'b1', type, options: { webhook: { url: address, ...webhook }, ...options } }
  const declared = Object.entries(variables).map(([name, value]) => ({ id: `v${name}`, name, value }))
  const inputs = replies.map(({ variableId }, index) => ({
    id: `i${index}`,
    type: 'text input',
    ...(variableId !== undefined && { options: { variableId } }),
  }))
  return wholeDefinition({ variables: declared, blocks: [...inputs, block] })
}
