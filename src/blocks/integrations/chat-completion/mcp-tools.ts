import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { parseJson } from '../../json-texts.ts'
import { askVendor, describeUnreadableAnswer, reportProblem } from '../../vendors/lib/ask-vendor.ts'
import type { ConfiguredBlock } from './action.ts'

/** A tool of an MCP server, as a model is offered it. */
export interface McpTool {
  /** Of the function that the model calls. */
  readonly name: string
  readonly credentialsId: string | undefined
  /** Its name on the server. */
  readonly tool: string
  readonly description: string
  readonly inputSchema: object
}

type Servers = NonNullable<ConfiguredBlock['options']['mcpServers']>

/** Milliseconds that a tool has for its answer, and for which a list of tools is good. */
const timeoutMs = 30_000
const reuseMs = 60_000

/** Characters of a description that a model is told. */
const longestDescription = 4096

/** Asks the servers of a block for the tools that its author allows; one that can't be had is left out with a log. */
export function* openMcpTools(
  servers: Servers | undefined,
  run: RunContext,
): Effects<{ readonly tools: ReadonlyMap<string, McpTool>; readonly logs: readonly LogEntry[] }> {
  const tools = new Map<string, McpTool>()
  const logs: LogEntry[] = []
  for (const { credentialsId, tools: allowed = [] } of servers ?? []) {
    if (allowed.length === 0) continue
    const listed = yield* exchange({ credentialsId, method: 'tools/list', params: {}, reuseMs }, run)
    if ('log' in listed) {
      logs.push(listed.log)
      continue
    }
    const offered = listOf(listed.result['tools'])
    for (const tool of allowed) {
      const found = offered.find(({ name }) => name === tool)
      if (!found) logs.push(reportProblem(`The MCP server has no tool "${tool}"`))
      else {
        const read = readTool(found, tool, credentialsId)
        if (!tools.has(read.name)) tools.set(read.name, read)
      }
    }
  }
  return { tools, logs }
}

/** A tool in the format that all models share. */
export const describeMcpTool = ({ name, description, inputSchema }: McpTool): object => ({
  type: 'function',
  function: { name, ...(description !== '' && { description }), parameters: inputSchema, strict: false },
})

/** Calls a tool; what it says is for the model, also where it says that it failed. */
export function* callMcpTool(
  { credentialsId, tool }: McpTool,
  given: unknown,
  run: RunContext,
): Effects<{ readonly text: string } | { readonly failure: string }> {
  const called = yield* exchange(
    { credentialsId, method: 'tools/call', params: { name: tool, arguments: Object(given) } },
    run,
  )
  if ('log' in called) return { failure: called.log.description }
  const { content, structuredContent, resultType } = called.result
  if (resultType === 'input_required') return { failure: 'The tool asks a person, whom it has none here' }
  const texts = listOf(content).map(({ type, text }) => (typeof text === 'string' ? text : `[${type}]`))
  if (texts.length > 0) return { text: texts.join('\n') }
  return { text: structuredContent === undefined ? '' : JSON.stringify(structuredContent) }
}

interface McpCall {
  readonly credentialsId: string | undefined
  readonly method: 'tools/list' | 'tools/call'
  readonly params: { readonly name?: string; readonly arguments?: object }
  readonly reuseMs?: number
}

type Fields = Readonly<Record<string, unknown>>

/** Of the specification whose requests need nothing before them; which one a server speaks, its account says. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'flow-runtime', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

function* exchange(
  { credentialsId, method, params, reuseMs }: McpCall,
  run: RunContext,
): Effects<{ readonly result: Fields } | { readonly log: LogEntry }> {
  const { name } = params
  const answer = yield* askVendor(
    {
      vendor: 'mcp',
      credentialsId,
      method: 'POST',
      path: '',
      headers: [
        ['accept', 'application/json, text/event-stream'],
        ['mcp-method', method],
        ...(name === undefined ? [] : [['mcp-name', asHeader(name)] as const]),
      ],
      json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
      timeoutMs,
      ...(reuseMs !== undefined && { reuseMs }),
    },
    run,
  )
  if (!answer.ok) return { log: answer.log }
  const { result, error } = messageIn(answer.text) ?? {}
  if (isFields(result)) return { result }
  const { message } = Object(error) as { message?: unknown }
  if (typeof message === 'string') return { log: reportProblem(`The MCP server refuses: ${message}`) }
  return { log: describeUnreadableAnswer('mcp', answer.text) }
}

/** Headers hold no more than printable ASCII. */
const asHeader = (text: string) =>
  /^[\x21-\x7e]+$/.test(text)
    ? text
    : `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`

/** Characters of an answer that are read: that goes on without a break. */
const longestAnswer = 1024 * 1024

/** The answer, which some servers send as the last event of a stream. */
function messageIn(text: string): Fields | undefined {
  if (text.length > longestAnswer) return undefined
  const events = text.trimStart().startsWith('{')
    ? [text]
    : text.split(/\r?\n\r?\n/).map((event) =>
        event
          .split(/\r?\n/)
          .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
          .join('\n'),
      )
  const messages = events.map((event) => parseJson(event)?.value).filter(isFields)
  return messages.findLast(({ id }) => id === 1)
}

function readTool(found: Fields, tool: string, credentialsId: string | undefined): McpTool {
  const { description, inputSchema } = found
  return {
    name: [credentialsId ?? 'mcp', tool]
      .join('_')
      .replace(/[^\w-]+/g, '_')
      .slice(0, 64),
    credentialsId,
    tool,
    description: typeof description === 'string' ? description.slice(0, longestDescription) : '',
    inputSchema: isFields(inputSchema) ? inputSchema : { type: 'object', properties: {} },
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
