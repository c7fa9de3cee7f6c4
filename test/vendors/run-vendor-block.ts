import { onTestFinished } from 'vitest'
import type { Log } from '../../schemas/log.ts'
import { parseAllowList } from '../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../src/adapters/http-client/http-client.ts'
import { readCredentials } from '../../src/config/credentials/credentials.ts'
import type { Value } from '../../src/engine/values/value.ts'
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
}

export interface VendorRunResult {
  readonly response: Json
  /** Values after the block, by name. */
  readonly variables: Readonly<Record<string, Value>>
  /** What a visitor sees, and what is stored for the author. */
  readonly visitorLogs: readonly Log[]
  readonly storedLogs: readonly Log[]
}

/** Publishes a flow with the block and starts it once, through the real client for requests. */
export async function runVendorBlock(run: VendorRun): Promise<VendorRunResult> {
  const { chat, results } = chatFor(run)
  const response = parseWire(await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} }))
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
  const { chat, flow } = chatFor(run)
  const response = await chat.startPreview(previewRequest({ flow }))
  return (parseWire(response)['logs'] ?? []) as Log[]
}

function chatFor({ type, accountType = type, options, account, variables = {}, random }: VendorRun) {
  const flow = wholeDefinition({
    variables: Object.entries(variables).map(([name, value]) => ({ id: `v${name}`, name, value })),
    blocks: [
      { id: 'x1', type, options: { credentialsId: 'c1', ...options } },
      bubble('on'),
      textInput('end'),
    ],
  })
  const http = createHttpClient({ allow: parseAllowList('') })
  onTestFinished(() => http.close())
  const { credentials } = readCredentials(
    JSON.stringify([{ id: 'c1', type: accountType, data: account }]),
    {},
  )
  return { ...createTestChat([flow], { http, credentials, random }), flow }
}
