import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server as NewServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import type { Json } from './json.ts'

/** A request as a server got it. */
interface Received {
  readonly authorization: string | undefined
  readonly method: string
  readonly params: Json
}

const tools = ['weather', 'erase', 'fail'].map((name) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}))

function answer(name: string, given: Json = {}) {
  if (name === 'fail') throw new Error('The service is down')
  return { content: [{ type: 'text' as const, text: `${name} in ${given['city']}: 7 degrees` }] }
}

const info = { name: 'weather', version: '1' }
const capabilities = { capabilities: { tools: {} } }

/** A server of tools by the official library of 2026-07-28. */
export function startNewMcpServer() {
  const handler = createMcpHandler(
    () => {
      const server = new NewServer(info, capabilities)
      server.setRequestHandler('tools/list', async () => ({ tools, ttlMs: 0, cacheScope: 'private' }))
      server.setRequestHandler('tools/call', async ({ params }) =>
        answer(params.name, params.arguments as Json),
      )
      return server
    },
    { legacy: 'reject' },
  )
  return start(async (request, response, body) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const asked = new Request('http://127.0.0.1/mcp', { method: 'POST', headers: headers as [], body })
    const answered = await handler.fetch(asked)
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(await answered.text())
  })
}

/** The same by the official library of 2025-11-25, which answers with events and keeps no sessions. */
export function startOldMcpServer() {
  return start(async (request, response, body) => {
    const server = new OldServer(info, capabilities)
    server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
      answer(params.name, params.arguments),
    )
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport as never)
    await transport.handleRequest(request, response, JSON.parse(body))
  })
}

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>

async function start(handle: Handle) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method, params } = JSON.parse(body)
    received.push({ authorization: request.headers.authorization, method, params })
    await handle(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, received }
}
