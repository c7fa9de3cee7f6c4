import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { casesIn } from './case-tables.ts'
import type { DescribedCall } from './described-calls.ts'
import type { Json } from './json.ts'

/** A case written out; see CONTRIBUTING.md for how it may stand in a file. */
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
  /** The time that passes instead of a request, until the last timer that fires in it. */
  readonly after?: string
  /** Done by an operator instead of a request; the response is what a look shows then. */
  readonly operator?: Record<string, unknown>
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

/** Every conformance file, in the order of their names, with its cases written out. */
export function readConformanceFiles(): ConformanceFile[] {
  return readShortFiles().map(({ path, title, cases }) => ({ path, title, cases: cases.map(writtenOut) }))
}

/** The same as they stand in the folder, but for the tables of cases. */
export function readShortFiles() {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && path !== 'schema.json')
    .sort()
    .map((path) => {
      const file = JSON.parse(readFileSync(join(folder, path), 'utf8'))
      return { path, title: String(file.title), file: file as Json, cases: casesIn(file.cases) }
    })
}

const flowKeys = ['variables', 'events', 'groups', 'blocks', 'edges', 'settings', 'theme']
const responseKeys = [
  'messages',
  'input',
  'clientSideActions',
  'logs',
  'dynamicTheme',
  'progress',
  'wakesAt',
  'actsAfterSeconds',
  'joinsUntil',
  'paused',
]
const answerKeys = [...responseKeys, 'lastMessageNewFormat']

function writtenOut(short: Json): ConformanceCase {
  const [flow, { definition, isMarkdown, then, result, ...afterFlow }] = parted(short, flowKeys)
  const linked = (short['linked'] as Json[] | undefined)?.map(wholeDefinition)
  const whole = wholeDefinition({ ...flow, ...(definition as Json | undefined) })
  const format = isMarkdown === true ? { textBubbleContentFormat: 'markdown' } : undefined
  const inputs = new Map([whole, ...(linked ?? [])].flatMap(blocksById))
  const turns = (then as Json[] | undefined)?.map((turn) => turnWrittenOut(turn, inputs, format))
  const { request } = afterFlow
  return {
    ...withResponses(afterFlow, inputs),
    definition: whole,
    ...(linked && { linked }),
    ...((request || format) && { request: { ...format, ...(request as Json | undefined) } }),
    ...Object.fromEntries(turns ? [['then', turns]] : []),
    ...(result !== undefined && { result: resultOf(result as Json) }),
  } as unknown as ConformanceCase
}

function turnWrittenOut({ says, request, error, ...turn }: Json, inputs: Blocks, format?: Json) {
  const message = says === undefined ? undefined : { message: says }
  const whole = { request: { ...format, ...message, ...(request as Json | undefined) } }
  if (error === undefined) return { ...whole, ...withResponses(turn, inputs) }
  const [status, ...words] = String(error).split(' ')
  return { ...whole, error: { status: Number(status), message: words.join(' ') } }
}

type Blocks = ReadonlyMap<unknown, Json>

function blocksById({ groups }: Json): [unknown, Json][] {
  const all = Array.isArray(groups) ? groups : []
  return all.flatMap((group) => (group?.blocks ?? []).map((block: Json | null) => [block?.['id'], block]))
}

/** What is expected, with messages and inputs in whole. */
function withResponses(short: Json, inputs: Blocks): Json {
  const [answer, { response, publicResponse, previewResponse, ...rest }] = parted(short, answerKeys)
  const whole = (given: unknown) => {
    const { messages, input, ...others } = given as Json
    return {
      ...(Array.isArray(messages)
        ? { messages: messages.map(toMessage) }
        : messages === null && { messages }),
      ...(input !== undefined && { input: typeof input === 'string' ? blockOf(input, inputs) : input }),
      ...others,
    }
  }
  return {
    ...rest,
    response: whole({ messages: [], ...answer, ...(response as Json | undefined) }),
    ...(publicResponse !== undefined && { publicResponse: whole(publicResponse) }),
    ...(previewResponse !== undefined && { previewResponse: whole(previewResponse) }),
  }
}

function blockOf(id: string, blocks: Blocks): Json {
  const block = blocks.get(id)
  if (!block) throw new Error(`No flow of the case has a block "${id}"`)
  return block
}

/** Values by the names of variables, as the result lists them. */
function resultOf({ variables, ...result }: Json): Json {
  if (!isJson(variables) || Array.isArray(variables))
    return { ...result, ...(variables !== undefined && { variables }) }
  const listed = Object.entries(variables).map(([name, value]) => ({ id: `v${name}`, name, value }))
  return { ...result, variables: listed }
}

function parted(all: Json, names: readonly string[]): [Json, Json] {
  const [inside, outside] = [true, false].map((isInside) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name) === isInside)),
  )
  return [inside!, outside!]
}

function toMessage(message: Json): Json {
  if ('type' in message) return message
  const { id, text, markdown, ...rest } = message
  const richText = { type: 'richText', richText: paragraph(text) }
  return {
    id,
    type: 'text',
    content: markdown === undefined ? richText : { type: 'markdown', markdown },
    ...rest,
  }
}

const paragraph = (text: unknown) => [
  { type: 'p', children: [text].flat().map((piece) => ({ text: piece })) },
]

/** Fills in what a flow leaves out, so that a case says only what it is about (see CONTRIBUTING.md). */
export function wholeDefinition(short: Json): Json {
  const { blocks, ...given } = short
  const groups = groupsOf(blocks === undefined ? given['groups'] : { g1: { title: 'Group 1', blocks } })
  const edges = edgesOf(given['edges'] ?? [])
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
    ...(Array.isArray(given['variables']) && { variables: given['variables'].map(toVariable) }),
    ...(groups !== undefined && { groups }),
    edges:
      isOld || first === undefined || edges.some((edge) => edge?.['id'] === 'e-start')
        ? edges
        : [startEdge, ...edges],
  }
}

/** A name alone is a variable that holds nothing; its id is `v` and the name unless given. */
function toVariable(short: string | Json | null) {
  const variable = typeof short === 'string' ? { name: short } : short
  return variable && { id: `v${variable['name']}`, ...variable }
}

/** Groups by their ids, as lists of blocks or with more than these; a title is the id in capitals unless given. */
function groupsOf(short: unknown): Json[] | undefined {
  if (Array.isArray(short)) return short.map((group) => group && withBubbles(group))
  if (!isJson(short)) return short as undefined
  return Object.entries(short).map(([id, group]) =>
    withBubbles({
      id,
      title: id.toUpperCase(),
      ...(Array.isArray(group) ? { blocks: group } : (group as Json)),
    }),
  )
}

/** Edges by their ids, as the id of the group that each leads to, or as its `to`. */
function edgesOf(short: unknown): Json[] {
  if (!isJson(short) || Array.isArray(short)) return short as Json[]
  return Object.entries(short).map(([id, to]) => ({
    id,
    to: typeof to === 'string' ? { groupId: to } : to,
  }))
}

/** A group whose text bubbles may be given by their texts. */
export function withBubbles(group: Json): Json {
  const { blocks } = group
  return Array.isArray(blocks) ? { ...group, blocks: blocks.map(toBubble) } : group
}

/** A text bubble may be given by its text; a flow that is broken on purpose may hold anything. */
function toBubble(block: Json | null): Json | null {
  const { id, text, ...rest } = block ?? {}
  if (text === undefined || 'type' in rest) return block
  return { id, type: 'text', content: { richText: paragraph(text) }, ...rest }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null
/** What a case expects of an endpoint, with the parts that every response has. */
export function wholeResponse(testCase: ConformanceCase, endpoint: Endpoint): Json {
  const { id, version, settings, theme } = testCase.definition
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
