import type { McpRequest } from '../../schemas/mcp.ts'
import { McpError } from './mcp-error.ts'

/** The specification in which each request says by itself what its client can. */
export const statelessVersion = '2026-07-28'

/** Those in which a client introduces itself first, the latest first. No session is kept of it: nothing here needs one. */
export const handshakeVersions = ['2025-11-25', '2025-06-18'] as const

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** Headers that repeat what the body says. */
interface SentHeaders {
  readonly 'mcp-protocol-version'?: string | undefined
  readonly 'mcp-method'?: string | undefined
  readonly 'mcp-name'?: string | undefined
}

/** Abilities of the program that asks the person. */
export interface ClientAbilities {
  readonly isStateless: boolean
  readonly showsForms: boolean
  readonly opensPages: boolean
  /** Whether it shows the pages of tools, which lead the conversation then. */
  readonly showsApps: boolean
}

const handshakeAbilities: ClientAbilities = {
  isStateless: false,
  showsForms: false,
  opensPages: false,
  showsApps: false,
}

/** Reads what the client of a message can. Throws McpError where the headers and the body say different things. */
export function readAbilities(message: McpRequest, headers: SentHeaders): ClientAbilities {
  const meta = message.params?._meta ?? {}
  const { 'mcp-protocol-version': version } = headers
  if (!Object.hasOwn(meta, versionKey)) {
    if (version === statelessVersion)
      throw new McpError('invalidParams', `params._meta needs "${versionKey}" in ${version}`, { status: 400 })
    const isKnown = version === undefined || handshakeVersions.some((known) => known === version)
    if (!isKnown && message.method !== 'initialize') throw unsupported(version)
    return handshakeAbilities
  }
  checkHeaders(message, meta[versionKey], headers)
  const capabilities = meta[capabilitiesKey]
  if (!isObject(capabilities))
    throw new McpError('invalidParams', `params._meta needs "${capabilitiesKey}", an object`, { status: 400 })
  const { elicitation, extensions } = capabilities
  const canAsk = isObject(elicitation)
  return {
    isStateless: true,
    // An empty object is from before there was anything but forms.
    showsForms: canAsk && ('form' in elicitation || !('url' in elicitation)),
    opensPages: canAsk && 'url' in elicitation,
    showsApps: isObject(extensions) && 'io.modelcontextprotocol/ui' in extensions,
  }
}

function checkHeaders({ method, params }: McpRequest, version: unknown, headers: SentHeaders): void {
  const named = method === 'tools/call' ? params?.name : method === 'resources/read' ? params?.uri : undefined
  const expected = {
    'mcp-protocol-version': String(version),
    'mcp-method': method,
    // A body without the name is refused for that.
    ...(named !== undefined && { 'mcp-name': named }),
  }
  for (const [name, value] of Object.entries(expected)) {
    const sent = headers[name as keyof SentHeaders]
    if (sent !== undefined && readHeader(sent.trim()) === value) continue
    const problem = sent === undefined ? 'is missing' : 'says something else'
    throw new McpError('headerMismatch', `The header ${name} ${problem}: the body says it too`, {
      status: 400,
    })
  }
  if (version !== statelessVersion) throw unsupported(String(version))
}

const unsupported = (requested: string) =>
  new McpError('unsupportedVersion', 'This version of the protocol is not spoken here', {
    status: 400,
    data: { supported: [statelessVersion, ...handshakeVersions], requested },
  })

/** Reads what a header can't hold as it is. */
function readHeader(text: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(text) ?? []
  return encoded === undefined ? text : Buffer.from(encoded, 'base64').toString()
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
