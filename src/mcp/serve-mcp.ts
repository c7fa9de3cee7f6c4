import type { McpRequest, McpResponse } from '../../schemas/mcp.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { versionText } from '../lib/version-text.ts'
import { appResource, listApps } from './app-resource.ts'
import { type CalledTool, callTool } from './call-tool.ts'
import { describeTools, listTools } from './flow-tools.ts'
import { McpError } from './mcp-error.ts'
import { type ClientAbilities, handshakeVersions, readAbilities, statelessVersion } from './read-message.ts'
import type { StateSeal } from './sealed-state.ts'

/** A message of a client, with who sends it. */
interface McpMessage extends Pick<CalledTool, 'principal' | 'visitor' | 'pages'> {
  readonly body: McpRequest
  readonly headers: Parameters<typeof readAbilities>[1]
}

interface McpSources {
  readonly chat: ChatDependencies
  readonly seal: StateSeal
}

/** Answer to a message; without a body for what wants none. */
interface McpReply {
  readonly status: 200 | 202 | 400 | 404
  readonly body?: McpResponse
}

/** Answers a message of either specification (docs/mcp.md). Throws ServiceError for what the service refuses now. */
export async function serveMcp(message: McpMessage, sources: McpSources): Promise<McpReply> {
  const { id = null } = message.body
  try {
    const abilities = readAbilities(message.body, message.headers)
    if (id === null) return { status: 202 }
    const result = await resultOf({ ...message, abilities }, sources)
    return { status: 200, body: { jsonrpc: '2.0', id, result: inEnvelope(result, abilities) } }
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    const { code, message: text, data } = error
    const refusal = { code, message: text, ...(data && { data: { ...data } }) }
    return { status: error.status, body: { jsonrpc: '2.0', id, error: refusal } }
  }
}

type Result = Readonly<Record<string, unknown>>

interface Asked extends McpMessage {
  readonly abilities: ClientAbilities
}

async function resultOf(asked: Asked, sources: McpSources): Promise<Result> {
  const { body, abilities } = asked
  const { method, params = {} } = body
  const { published } = sources.chat
  const hasPages = asked.pages !== undefined
  switch (method) {
    case 'tools/list':
      return { tools: describeTools(await listTools(published), hasPages), ...lasting(abilities) }
    case 'tools/call':
      return callTool({ ...asked, params }, sources)
    case 'resources/list':
      return { resources: hasPages ? listApps(await listTools(published)) : [], ...lasting(abilities) }
    case 'resources/templates/list':
      return { resourceTemplates: [], ...lasting(abilities) }
    case 'resources/read': {
      const contents = [appResource(params.uri, await listTools(published), asked.pages)]
      return { contents, ...lasting(abilities) }
    }
  }
  const isStateless = abilities.isStateless
  if (isStateless && method === 'server/discover')
    return { supportedVersions: [statelessVersion], ...introduction, ...lasting(abilities) }
  if (!isStateless && method === 'initialize') {
    const protocolVersion =
      handshakeVersions.find((known) => known === params.protocolVersion) ?? handshakeVersions[0]
    return { protocolVersion, ...introduction, serverInfo }
  }
  if (!isStateless && method === 'ping') return {}
  throw new McpError('methodNotFound', `There is no method ${JSON.stringify(method)}`, {
    status: isStateless ? 404 : 200,
  })
}

const introduction = {
  capabilities: { tools: {}, resources: {}, extensions: { 'io.modelcontextprotocol/ui': {} } },
  instructions:
    'Each tool holds a conversation with the person you assist. Show them what it says as it stands, and let them answer: never answer for them.',
}

/** Flows come and go at any time. */
const lasting = ({ isStateless }: ClientAbilities) =>
  isStateless ? { ttlMs: 30_000, cacheScope: 'private' } : {}

const serverInfo = { name: 'flow-runtime', title: 'Flow runtime', version: versionText().trim() }

function inEnvelope(result: Result, { isStateless }: ClientAbilities): Result {
  if (!isStateless) return result
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
  return { resultType: 'complete', ...result, _meta }
}
