import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { readAccessTokens } from '../../src/config/admin-tokens.ts'
import type { Server } from '../../src/http/types.ts'
import { buildTestApp } from './build-test-app.ts'
import type { Json } from './json.ts'
import type { UseCases } from './use-cases.ts'

export const tokens = { desk: 'd'.repeat(32), shop: 's'.repeat(32) }

/** A service that serves the flows of a chat to two assistants. */
export async function buildMcpApp(chat: UseCases, config: Json = {}) {
  const named = Object.entries(tokens).map(([name, token]) => `${name}:mcp=${token}`)
  const { mcp: mcpTokens } = readAccessTokens({ ADMIN_TOKENS: named.join(',') }, [])
  const publicUrl = 'https://bot.example'
  return buildTestApp({
    chat,
    config: { mcpTokens, pages: 'visitor', publicUrl, webhookWaitMs: 0, ...config },
  })
}

/** Lets a client reach a server that listens nowhere. */
const fetchFrom =
  (app: Server) =>
  async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { statusCode, headers, payload } = await app.inject({
      method: (init.method ?? 'GET') as 'POST',
      url: new URL(address).pathname,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const sent = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
    return new Response(payload === '' ? null : payload, { status: statusCode, headers: sent })
  }

const terms = (app: Server, token: string) => ({
  fetch: fetchFrom(app),
  requestInit: { headers: { authorization: `Bearer ${token}` } },
})

const address = new URL('https://bot.example/mcp')

/** What a person does with a question of a form or a page. */
export type Person = (params: Json) => Deed | Promise<Deed>

interface Deed {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Json
}

/** The official client of the specification 2026-07-28, with a person who answers. */
export async function openNewClient(app: Server, person?: Person, token = tokens.desk) {
  const elicitation = person ? { form: {}, url: {} } : undefined
  const client = new NewClient(
    { name: 'new', version: '1' },
    {
      capabilities: elicitation ? { elicitation } : {},
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      inputRequired: { maxRounds: 100 },
    },
  )
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }) => person(params as Json) as never)
  await client.connect(new NewTransport(address, terms(app, token)))
  onTestFinished(() => client.close())
  return client
}

/** The official client of the specification 2025-11-25. */
export async function openOldClient(app: Server, token = tokens.desk) {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
  await client.connect(new OldTransport(address, terms(app, token)) as never)
  onTestFinished(() => client.close())
  return client
}

/** A message as a client would send it that tries what the official ones do not. */
export async function sendMcp(app: Server, body: unknown, headers: Record<string, string> = {}) {
  const response = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${tokens.desk}`, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = response.payload
  return { status: response.statusCode, body: (text === '' ? undefined : JSON.parse(text)) as Json }
}

/** A request of the specification 2026-07-28 with its headers; of a client that has forms unless given. */
export async function sendNew(
  app: Server,
  method: string,
  params: Json = {},
  { token = tokens.desk, capabilities = { elicitation: { form: {}, url: {} } } as Json } = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const name = params['name'] ?? params['uri']
  return sendMcp(
    app,
    { jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': String(name) }),
      authorization: `Bearer ${token}`,
    },
  )
}
