import { onTestFinished } from 'vitest'
import type { Log } from '../../schemas/log.ts'
import { parseAllowList } from '../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../src/adapters/http-client/http-client.ts'
import { readCredentials } from '../../src/config/credentials/credentials.ts'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import type { Value } from '../../src/engine/values/value.ts'
import { anonymous, type Caller } from '../../src/ports/caller.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { previewRequest } from '../support/preview-request.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

/** A flow of one block that calls a vendor. */
export interface VendorRun {
  readonly type: string
  /** Of the account; that of the block unless something is given. */
  readonly accountType?: string
  readonly options: Json
  /** What the account holds; the block names it `c1`. */
  readonly account: Json
  /** By name; the id of `Name` is `vName`. */
  readonly variables?: Readonly<Record<string, Value>>
  readonly random?: readonly number[]
  /** What the visitor replies to the block, where that is a question. */
  readonly reply?: string
  readonly chat?: Partial<ChatDependencies>
  /** The bubble behind the block. */
  readonly shown?: string
}

export interface VendorRunResult {
  readonly response: Json
  /** Values after the block, by name. */
  readonly variables: Readonly<Record<string, Value>>
  /** What a visitor sees, and what is stored for the author. */
  readonly visitorLogs: readonly Log[]
  readonly storedLogs: readonly Log[]
}

/** Publishes a flow with the block and goes through it once, by the real client for requests. */
export async function runVendorBlock(run: VendorRun): Promise<VendorRunResult> {
  const { chat, results } = chatFor(run)
  const started = parseWire(await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} }))
  const turn = { sessionId: String(started['sessionId']), origin: undefined }
  const { reply } = run
  const response =
    reply === undefined
      ? started
      : parseWire(
          await chat.continue({
            caller: anonymous,
            ...turn,
            body: { message: { type: 'text', text: reply } },
          }),
        )
  const result = await results.get('flow-1', 'result-1')
  const found = (result?.variables ?? []).map(({ name, value }) => [name, value] as const)
  return {
    response,
    variables: Object.fromEntries(found),
    visitorLogs: (response['logs'] ?? []) as Log[],
    storedLogs: result?.logs ?? [],
  }
}

/** The same as a preview that was started without a token; what its author sees. */
export async function previewVendorBlock(run: VendorRun): Promise<readonly Log[]> {
  return ((await startVendorPreview(run))['logs'] ?? []) as Log[]
}

/** The first response of a preview, by whoever asks for it. */
export async function startVendorPreview(run: VendorRun, body: Json = {}, caller?: Caller): Promise<Json> {
  const { chat, flow } = chatFor(run)
  return parseWire(await chat.startPreview(previewRequest({ flow, ...body }, caller)))
}

/** Has the answer of the block streamed, and sends it back. */
export async function streamVendorBlock(run: VendorRun) {
  const { chat, results } = chatFor(run)
  const start = { publicId: 'flow-1', origin: undefined, body: { isStreamEnabled: true } }
  const { sessionId, clientSideActions } = parseWire(await chat.startPublished(start))
  const turn = { sessionId: String(sessionId), origin: undefined }
  let records = ''
  for await (const each of await chat.streamMessage({
    caller: anonymous,
    ...turn,
    signal: new AbortController().signal,
  })) {
    records += each
  }
  const said = [...records.matchAll(/^0:(.*)$/gm)].map(([, text = '']) => JSON.parse(text)).join('')
  const body = { message: { type: 'text', text: said } } as const
  const response = parseWire(await chat.continue({ caller: anonymous, ...turn, body }))
  const result = await results.get('flow-1', 'result-1')
  const variables = Object.fromEntries((result?.variables ?? []).map(({ name, value }) => [name, value]))
  return { clientSideActions, records, said, response, variables, storedLogs: result?.logs ?? [] }
}

function chatFor(run: VendorRun) {
  const { type, accountType = type, options, account, variables = {}, random, chat, shown = 'on' } = run
  const flow = wholeDefinition({
    variables: Object.entries(variables).map(([name, value]) => ({ id: `v${name}`, name, value })),
    blocks: [
      { id: 'x1', type, options: { credentialsId: 'c1', ...options } },
      bubble('on', shown),
      textInput('end'),
    ],
  })
  const http = createHttpClient({ allow: parseAllowList('') })
  onTestFinished(() => http.close())
  const { credentials } = readCredentials(
    JSON.stringify([{ id: 'c1', type: accountType, data: account }]),
    {},
  )
  return { ...createTestChat([flow], { http, credentials, random, ...chat }), flow }
}
