import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../schemas/start-chat.ts'
import type { PersonMessageBody, SessionChangeBody } from '../../schemas/take-over.ts'
import { blockRegistry } from '../../src/blocks/index.ts'
import { type ChatDependencies, createProcessState } from '../../src/conversations/dependencies.ts'
import { createEventStreams } from '../../src/conversations/events/event-streams.ts'
import { ProgramCache } from '../../src/conversations/session/program-cache.ts'
import { changeSession, sayAsPerson } from '../../src/conversations/take-over/act-on-session.ts'
import { fireTimer } from '../../src/conversations/timers/fire-timer.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { durationMs } from '../../src/engine/values/duration.ts'
import { anonymous, type Caller } from '../../src/ports/caller.ts'
import type { Erasure, NoteErasure } from '../../src/results/erasure-log.ts'
import type { Session } from '../../src/sessions/session.ts'
import { Conversations } from '../../src/stores/conversations/conversations.ts'
import type { CountStore } from '../../src/stores/counts/count-store.ts'
import type { AuditEntry, FlowTable } from '../../src/stores/flow-table.ts'
import { createStepLine, type StepLine } from '../../src/stores/in-steps.ts'
import { MemoryContactStore } from '../../src/stores/memory/memory-contact-store.ts'
import { MemoryCountStore } from '../../src/stores/memory/memory-count-store.ts'
import { createMemoryDefinitionStore } from '../../src/stores/memory/memory-definition-store.ts'
import { MemoryTable } from '../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../src/stores/memory/results/memory-result-store.ts'
import type { PublishedFlow } from '../../src/stores/published-flows.ts'
import { findingsOfPreview } from '../../src/tooling/validate/validate-flow.ts'
import { type FixedPorts, fixedPorts } from './fixed-ports.ts'
import type { Json } from './json.ts'
import { defaultLimits } from './limits.ts'
import { openMemoryOutbox } from './memory-outbox.ts'
import { createMemoryPublishedFlows } from './memory-published-flows.ts'
import { nowhere } from './nowhere.ts'
import { previewRequest } from './preview-request.ts'
import { type UseCases, useCasesOf } from './use-cases.ts'
import { parseWire } from './wire.ts'

const operator: Caller = { kind: 'admin', name: 'desk' }

const weekMs = 7 * 24 * 60 * 60 * 1000

const enough = 64 * 1024 * 1024

const second = 1000
const minute = 60 * second

/** A chat over stores in memory, in a world where nothing is left to chance. */
export interface TestChat extends ChatDependencies {
  readonly results: Pick<MemoryResultStore, keyof MemoryResultStore>
  readonly counts: CountStore
  readonly flowTable: Pick<FlowTable, 'note' | 'versions'>
  readonly chat: UseCases
  /** What was told to the operator. */
  readonly reports: object[]
  /** What it was warned of. */
  readonly warnings: object[]
  /** What operators erased. */
  readonly erasures: Erasure[]
  /** Rows of the audit. */
  readonly audit: AuditEntry[]
  readonly noteErasure: NoteErasure
  readonly erasing: StepLine
  readonly keepsResults: boolean
}

export interface TestChatOptions extends Partial<Omit<ChatDependencies, 'log' | 'results'>> {
  readonly random?: readonly number[] | undefined
  /** Where the turns of this chat write to, unless `conversations` are given too. */
  readonly results?: Partial<MemoryResultStore> | undefined
}

/** Puts a chat together in which the given definitions are published, each under its public id or its id. */
export function createTestChat(definitions: readonly Json[] = [], options: TestChatOptions = {}): TestChat {
  const { random = [], ...given } = options
  const programs = new ProgramCache({ registry: blockRegistry, maxBytes: enough })
  const reports: object[] = []
  const warnings: object[] = []
  const erasures: Erasure[] = []
  const audit: AuditEntry[] = []
  const results = { ...new MemoryResultStore({ maxBytes: enough }), ...given.results }
  const ports = given.ports ?? fixedPorts({ random })
  const outbox = openMemoryOutbox(ports.now)
  const contacts = new MemoryContactStore({ maxBytes: enough, now: ports.now })
  const counts = new MemoryCountStore({ maxBytes: enough, now: ports.now })
  const flowTable: TestChat['flowTable'] = {
    note: async (entry) => void audit.push(entry),
    versions: async () => [],
  }
  const dependencies: ChatDependencies = {
    ports,
    limits: defaultLimits,
    sessionTtlMs: weekMs,
    anonymousPreviews: {
      limits: given.limits ?? defaultLimits,
      ports,
      heavyTurns: given.heavyTurns ?? nowhere.heavyTurns,
    },
    programs,
    published: createMemoryPublishedFlows(definitions.map((definition) => publish(definition, programs))),
    drafts: given.programs ?? new ProgramCache({ registry: blockRegistry, maxBytes: enough }),
    definitions: createMemoryDefinitionStore({ maxBytes: enough, draftMaxBytes: enough }),
    conversations: new Conversations({
      table: new MemoryTable({
        sessions: { ttlMs: 52 * weekMs, maxSessions: 1000, maxBytes: enough, previewMaxBytes: enough },
        answers: { maxBytes: enough, ttlMs: 60_000 },
        results,
        outbox,
        contacts,
        counts,
        now: ports.now,
      }),
      appendLogs: results.appendLogs,
      counts,
      maxQueuedTurns: 16,
      now: ports.now,
    }),
    previewHttp: 'auto',
    recordings: { maxLength: 256 * 1024 },
    findingsOfPreview,
    eventStreams: createEventStreams({ max: 100 }),
    ...createProcessState(),
    ...nowhere,
    flowTable,
    areResultsRead: true,
    publicUrl: undefined,
    contacts,
    contactSecret: undefined,
    log: {
      error: (details) => reports.push(details),
      warn: (details) => warnings.push(details),
    },
    ...given,
    results,
  }
  const noteErasure: NoteErasure = async (erasure) => void erasures.push(erasure)
  return {
    ...dependencies,
    counts,
    results,
    flowTable,
    noteErasure,
    erasing: createStepLine(2),
    keepsResults: true,
    erasures,
    audit,
    chat: useCasesOf(dependencies),
    reports,
    warnings,
  }
}

/** The live session of an id, else the preview, as it is stored. */
export async function sessionOf(
  { conversations }: Pick<TestChat, 'conversations'>,
  id: string,
): Promise<Session | undefined> {
  return (await conversations.look(id))?.session
}

/** Enters a session, so that everybody else waits until the function is called that this returns. */
export async function holdSession(
  { conversations }: Pick<TestChat, 'conversations'>,
  id: string,
): Promise<() => Promise<void>> {
  const entered = await conversations.enter({ id })
  if (entered.state !== 'entered') throw new Error(`the session is ${entered.state}`)
  return async () => conversations.release(entered.lease)
}

/** Keeps a session as a start does. */
export async function keepSession(
  { conversations }: Pick<TestChat, 'conversations'>,
  session: Session,
): Promise<void> {
  await conversations.start({ session, results: [] })
}

function publish(definition: Json, programs: ProgramCache): PublishedFlow {
  const flow = readDefinition(definition)
  const { program } = programs.prepare(definition)
  return {
    publicId: flow.publicId ?? flow.id,
    flow,
    program,
    publishedAt: flow.updatedAt ?? '2026-11-20T08:00:00.000Z',
    isClosed: flow.isClosed === true,
    isArchived: flow.isArchived === true,
  }
}

/** What a start is made of. */
export interface Start {
  readonly definition: Json
  /** Further published flows. */
  readonly linked?: readonly Json[] | undefined
  readonly body?: Json
  readonly random?: readonly number[] | undefined
  /** What the chat has besides the test's own stores. */
  readonly chat?: Partial<ChatDependencies> | undefined
}

/** A session after its start. */
export interface Started {
  /** What the start returned. */
  readonly response: Json
  readonly world: TestChat
  /** Goes on with the session; the response as an object. */
  continue(body?: Json): Promise<Json>
  /** Lets a duration pass, and fires the timers that are due, each at its time; the responses that nobody asked for. */
  after(duration: string): Promise<Json[]>
  /** Has an operator do something: the body of a change, or what a person `says`; what a look shows then, but for the flow. */
  operate(act: Json): Promise<Json>
}

/** Publishes a definition and starts it. */
export async function beginPublished({
  definition,
  linked = [],
  body = {},
  random,
  chat,
}: Start): Promise<Started> {
  const world = createTestChat([definition, ...linked], { random, ...chat })
  const publicId = String(definition['publicId'] ?? definition['id'])
  const started = world.chat.startPublished({ publicId, origin: undefined, body: body as StartChatBody })
  return startedSession(world, parseWire(await started))
}

/** Starts a definition as a preview. */
export async function beginPreview(
  { definition, linked = [], body = {}, random, chat }: Start,
  caller?: Caller,
): Promise<Started> {
  const world = createTestChat(linked, { random, ...chat })
  const started = world.chat.startPreview(previewRequest({ flow: definition, ...body }, caller))
  return startedSession(world, parseWire(await started))
}

function startedSession(world: TestChat, response: Json): Started {
  const sessionId = String(response['sessionId'])
  return {
    response,
    world,
    continue: async (body = {}) =>
      parseWire(
        await world.chat.continue({
          caller: anonymous,
          sessionId,
          origin: undefined,
          body: body as ContinueChatBody,
        }),
      ),
    after: (duration) => letPass(world, durationMs(duration)),
    async operate({ says, name, ...change }) {
      const named = { sessionId, caller: operator, origin: undefined }
      const body = says === undefined ? change : { text: says, name }
      if (says === undefined) await changeSession({ ...named, body: body as SessionChangeBody }, world)
      else await sayAsPerson({ ...named, body: body as PersonMessageBody }, world)
      const look = parseWire(await world.chat.getSession(named))
      const { flow: _, state: _state, waitingFor: _waitingFor, timers: _timers, ...shown } = look
      return { messages: [], ...shown }
    },
  }
}

/** Each timer fires at its time, with the clock that all of them share; minutes in which none is due pass at once. */
async function letPass(world: TestChat, ms: number): Promise<Json[]> {
  const ports = world.ports as FixedPorts
  const end = ports.now() + ms
  const fired: Json[] = []
  const due = () => world.conversations.due(10)
  for (; ports.now() <= end; ports.advance(second)) {
    for (const each of await due()) {
      const answer = await fireTimer(each, world)
      if (answer !== undefined) fired.push(parseWire(answer))
    }
    while (ports.now() + minute <= end) {
      ports.advance(minute)
      if ((await due()).length === 0) continue
      ports.advance(-minute)
      break
    }
  }
  return fired
}

/** Publishes a definition and starts it; the response as an object. */
export async function startPublished(start: Start): Promise<Json> {
  return (await beginPublished(start)).response
}

/** Starts a definition as a preview; the response as an object. */
export async function startPreview(start: Start): Promise<Json> {
  return (await beginPreview(start)).response
}
