import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DescribedCall } from './described-calls.ts'
import type { Json } from './json.ts'

/** A case as it stands in a file; see CONTRIBUTING.md for what may be left out. */
export interface ConformanceCase {
  readonly description: string
  readonly definition: Record<string, unknown>
  readonly linked?: readonly Record<string, unknown>[]
  readonly request?: Record<string, unknown>
  readonly publicRequest?: Record<string, unknown>
  readonly previewRequest?: Record<string, unknown>
  readonly random?: readonly number[]
  readonly accounts?: readonly Json[]
  /** Those of all turns, in order. */
  readonly calls?: readonly DescribedCall[]
  readonly publicCalls?: readonly DescribedCall[]
  readonly keepsFiles?: boolean
  readonly runsCode?: boolean
  readonly response: Record<string, unknown>
  readonly publicResponse?: Record<string, unknown>
  readonly previewResponse?: Record<string, unknown>
  /** The turns after the start. */
  readonly then?: readonly ConformanceTurn[]
  /** Parts of the result after the last turn; public sessions only. */
  readonly result?: Record<string, unknown>
}

/** A continue, and what comes of it. */
export interface ConformanceTurn {
  readonly request?: Record<string, unknown>
  readonly response?: Record<string, unknown>
  readonly publicResponse?: Record<string, unknown>
  readonly previewResponse?: Record<string, unknown>
  /** The refusal that is expected instead of a response. */
  readonly error?: { readonly status: number; readonly message: string }
}

export type Endpoint = 'public' | 'preview'

export interface ConformanceFile {
  readonly path: string
  readonly title: string
  readonly cases: readonly ConformanceCase[]
}

const folder = join(import.meta.dirname, '../conformance')

/** Every conformance file, in the order of their names, with all texts written out. */
export function readConformanceFiles(): ConformanceFile[] {
  return readShortFiles().map(({ cases, ...file }) => ({ ...file, cases: cases.map(withTexts) }))
}

/** The same as they stand in the folder. */
export function readShortFiles(): ConformanceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && path !== 'schema.json')
    .sort()
    .map((path) => ({ path, ...JSON.parse(readFileSync(join(folder, path), 'utf8')) }))
}

/** Writes out text bubbles that a case gives by their `text`, and messages given by that or by their `markdown`. */
function withTexts(short: ConformanceCase): ConformanceCase {
  const { definition, linked } = short
  const turns = short.then?.map((turn) => ({ ...turn, ...withMessages(turn) }))
  return {
    ...short,
    ...withMessages(short),
    definition: withBubbles(definition),
    ...(linked && { linked: linked.map(withBubbles) }),
    ...Object.fromEntries(turns ? [['then', turns]] : []),
  } as ConformanceCase
}

function withBubbles(definition: Json): Json {
  const { blocks, groups } = definition
  return {
    ...definition,
    ...(Array.isArray(blocks) && { blocks: blocks.map(toBubble) }),
    ...(Array.isArray(groups) && { groups: groups.map((group) => group && withBubbles(group)) }),
  }
}

/** A definition that is broken on purpose may hold anything. */
function toBubble(block: Json | null): Json | null {
  const { id, text, ...rest } = block ?? {}
  if (text === undefined || 'type' in rest) return block
  return { id, type: 'text', content: { richText: paragraph(text) }, ...rest }
}

const responses = ['response', 'publicResponse', 'previewResponse'] as const

function withMessages(turn: ConformanceTurn): Json {
  const given = responses.flatMap((key) => {
    const { messages, ...response } = turn[key] ?? {}
    return Array.isArray(messages) ? [[key, { ...response, messages: messages.map(toMessage) }]] : []
  })
  return Object.fromEntries(given)
}

function toMessage(message: Json): Json {
  if ('type' in message) return message
  const { id, text, markdown } = message
  const richText = { type: 'richText', richText: paragraph(text) }
  return { id, type: 'text', content: markdown === undefined ? richText : { type: 'markdown', markdown } }
}

const paragraph = (text: unknown) => [{ type: 'p', children: [{ text }] }]

/** Fills in what a case leaves out, so that a case says only what it is about. */
export function wholeDefinition(short: Json): Json {
  const { blocks, ...given } = short
  const groups = (blocks ? [{ id: 'g1', title: 'Group 1', blocks }] : given['groups']) as Json[] | undefined
  const edges = (given['edges'] ?? []) as Json[]
  const first = groups?.[0]?.['id']
  const startEdge = { id: 'e-start', to: { groupId: first } }
  const isOld = ['3', '4', '5'].includes(String(given['version']))
  return {
    version: '6.1',
    id: 'flow-1',
    variables: [],
    settings: {},
    theme: {},
    ...(!isOld && { events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e-start' }] }),
    ...given,
    ...(groups && { groups }),
    edges:
      isOld || first === undefined || edges.some(({ id }) => id === 'e-start')
        ? edges
        : [startEdge, ...edges],
  }
}

/** What a case expects of an endpoint, with the parts that every response has. */
export function wholeResponse(testCase: ConformanceCase, endpoint: Endpoint): Json {
  const { id, version, settings, theme } = wholeDefinition(testCase.definition)
  const isRegistering = { ...testCase.request, ...testCase.publicRequest }['isOnlyRegistering'] === true
  const publishedAt = '2026-11-20T08:00:00.000Z'
  const isPublic = endpoint === 'public'
  const expected: Json = {
    sessionId: 'session-1',
    ...(isPublic && { resultId: 'result-1' }),
    flow: { id, version, settings, theme, ...(isPublic && !isRegistering && { publishedAt }) },
    ...testCase.response,
    ...(isPublic ? testCase.publicResponse : testCase.previewResponse),
  }
  return withoutNull(expected)
}

/** What a turn expects after a start by an endpoint. */
export function responseOfTurn(turn: ConformanceTurn, endpoint: Endpoint): Json {
  return withoutNull({
    ...turn.response,
    ...(endpoint === 'public' ? turn.publicResponse : turn.previewResponse),
  })
}

function withoutNull(expected: Json): Json {
  return Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== null))
}
