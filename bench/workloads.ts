import type { Json } from '../test/support/json.ts'
import { draftOfBytes } from './flows/drafts.ts'
import {
  clientScriptFlow,
  decisionFlow,
  expressionFlow,
  javascriptFlow,
  loopFlow,
  prefilled,
  staticFlow,
  variablesFlow,
} from './flows/published.ts'
import type { Mode } from './support/databases.ts'
import type { Load } from './support/load.ts'

/** Something that a service is loaded with. */
export interface Workload {
  /** Begins with its group and a colon. */
  readonly name: string
  /** Published flows of the service. */
  readonly flows: readonly Json[]
  /** Environment of the service. */
  readonly variables?: Readonly<Record<string, string>>
  readonly mode?: Mode
  /** Makes the load for a service that listens at an address, and what the load needs there. */
  prepareLoad(address: string): Promise<Load>
}

/** Of visitors. */
export const connections = 32

const publicStarts = [
  start('static flow, log off', staticFlow, { variables: { LOG_LEVEL: 'warn' } }),
  start('static flow', staticFlow),
  start('static flow, walked for each visitor', staticFlow, { body: prefilled }),
  start('variables, nobody brings anything along', variablesFlow),
  start('variables', variablesFlow, { body: prefilled }),
  start('variables, condition, set variable', decisionFlow, { body: prefilled }),
  start('the same and a client-side script', clientScriptFlow, { body: prefilled }),
  start('the same and a simple expression', expressionFlow, { body: prefilled }),
  start('the same and code for the sandbox', javascriptFlow, { body: prefilled }),
]

const continues = [
  continuing('continue: text answer', { sessionsEach: 320 }),
  continuing('continue: text answer, in conversations of thousands of turns', { sessionsEach: 1 }),
]

const previewStarts = [
  preview('10 KB, all different', { bytes: 10_000, isRepeated: false }),
  preview('100 KB, all different', { bytes: 100_000, isRepeated: false }),
  preview('1 MB, all different', { bytes: 1_000_000, isRepeated: false }),
  preview('10 KB, repeated', { bytes: 10_000, isRepeated: true }),
  preview('100 KB, repeated', { bytes: 100_000, isRepeated: true }),
  preview('1 MB, repeated', { bytes: 1_000_000, isRepeated: true }),
]

const stores = (['DATA_DIR', 'PostgreSQL'] as const).flatMap((mode) => [
  // Visitors bring something along, so that each start is walked and kept.
  { ...start('', staticFlow, { body: prefilled }), name: `stores: start, ${mode}`, mode },
  { ...continuing(`stores: continue, ${mode}`, { sessionsEach: 32 }), mode },
])

/** Everything that is measured. */
export const workloads: readonly Workload[] = [...publicStarts, ...continues, ...previewStarts, ...stores]

interface StartOptions {
  readonly body?: Json
  readonly variables?: Readonly<Record<string, string>>
}

function start(name: string, flow: Json, { body = {}, ...options }: StartOptions = {}): Workload {
  const request = { path: `/v1/flows/${flow['publicId']}/startChat`, body: JSON.stringify(body) }
  const load = { connections, requests: () => [request] }
  return { name: `public-start: ${name}`, flows: [flow], ...options, prepareLoad: async () => load }
}

interface ContinueOptions {
  /** Sessions of each connection, which take turns: the fewer, the longer their conversations get. */
  readonly sessionsEach: number
}

function continuing(name: string, { sessionsEach }: ContinueOptions): Workload {
  const body = JSON.stringify({ message: 'Analytical Engines' })
  return {
    name,
    flows: [loopFlow],
    async prepareLoad(address) {
      const paths: string[] = []
      while (paths.length < connections * sessionsEach) paths.push(await startSession(address))
      const requests = paths.map((path) => ({ path, body }))
      let loads = 0
      return {
        connections,
        requests(connection) {
          const own = requests.slice(connection * sessionsEach, (connection + 1) * sessionsEach)
          // Each round begins with others, or the first ones would have most turns.
          if (connection === 0) loads += 1
          const first = (loads * 97) % sessionsEach
          return [...own.slice(first), ...own.slice(0, first)]
        },
      }
    },
  }
}

/** The path that continues a new conversation. */
async function startSession(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/flows/${loopFlow['publicId']}/startChat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { sessionId } = (await response.json()) as Json
  return `/v1/sessions/${sessionId}/continueChat`
}

interface PreviewOptions {
  readonly bytes: number
  readonly isRepeated: boolean
}

function preview(name: string, { bytes, isRepeated }: PreviewOptions): Workload {
  const path = '/v1/flows/draft/preview/startChat'
  return {
    name: `preview-start: ${name}`,
    flows: [],
    async prepareLoad() {
      const draft = draftOfBytes(bytes)
      let count = 0
      if (isRepeated) return { connections: 8, requests: () => [{ path, body: draft.body(0) }] }
      return { connections: 8, next: () => ({ path, body: draft.body(++count) }) }
    },
  }
}
