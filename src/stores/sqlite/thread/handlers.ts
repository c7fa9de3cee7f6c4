import type { WrittenContact } from '../../codec/contact-memory.ts'
import type { ContactLinksRequest } from '../../contact-store.ts'
import type { Definition } from '../../definition-store.ts'
import type { OutgoingEvent } from '../../outgoing/outbox-store.ts'
import type { ResultUpdate } from '../../result-store.ts'
import { type AnswerRow, createAnswerRows } from './answer-rows.ts'
import type { Database } from './binding.ts'
import { createContactRows } from './contacts/contact-rows.ts'
import { createCountRows } from './counts/count-rows.ts'
import { createDefinitionRows } from './definition-rows.ts'
import { createFlowRows } from './flow-rows.ts'
import { createMarks } from './marks.ts'
import { createEndpointRows } from './outgoing/endpoint-rows.ts'
import { createInboxRows } from './outgoing/inbox-rows.ts'
import { createOutboxRows } from './outgoing/outbox-rows.ts'
import { createQueueHandlers } from './outgoing/queue-handlers.ts'
import { createProbe } from './probe.ts'
import { countHeads, type ResultHeadsRequest } from './results/result-heads.ts'
import { ResultRows } from './results/result-rows.ts'
import { createSessionRows, type KeptRevision, keptAlone, type SessionChange } from './session-rows.ts'
import { type DiskBounds, Sweeper, stepRows } from './sweeper.ts'
import { createTallies } from './tally.ts'

/** All that one turn changes, as one unit. What there is none of is left out: naming it takes as long as sending it. */
export interface KeepRequest {
  readonly session?: SessionChange
  readonly results?: readonly ResultUpdate[]
  /** With a session. */
  readonly contact?: WrittenContact
  readonly answer?: { readonly row: AnswerRow; readonly expires: number }
  /** The claim of a start that has no answer to keep. */
  readonly dropped?: string
  readonly outgoing?: readonly OutgoingEvent[]
  /** As `writeFacts` made it. */
  readonly facts?: string
}

type Rows = ReturnType<typeof openRows>

/** Runs requests by their kinds, each at a time, in milliseconds since 1970, that comes first. */
export type Handlers = ReturnType<typeof readsOf> & ReturnType<typeof writesOf>

const dayMs = 24 * 60 * 60 * 1000

/** How long erasures are remembered: sessions that could bring something back are renewed by their visitors. */
const erasedMs = 366 * dayMs

/** How long a report of a client is known by its key. */
const reportMs = dayMs

/** Makes what runs requests, one at a time and each inside a transaction. */
export function createHandlers(database: Database, opening: Opening) {
  const rows = openRows(database, opening)
  return { reads: readsOf(rows), writes: writesOf(rows), tallies: rows.tallies }
}

interface Opening {
  readonly bounds: DiskBounds
  readonly now: number
}

function openRows(database: Database, { bounds, now: opened }: Opening) {
  const tallies = createTallies(database)
  const marks = createMarks(database)
  const sessions = createSessionRows(database, { marks, tallies, ttlMs: bounds.sessionTtlMs })
  sessions.revive(opened)
  const answers = createAnswerRows(database, { marks, tallies })
  const outbox = createOutboxRows(database, bounds.outbox)
  const flows = createFlowRows(database, outbox.put)
  const inbox = createInboxRows(database, bounds.inbox)
  const ofEndpoints = { note: flows.note, outbox, inbox }
  const webhook = createEndpointRows(database, 'webhook', ofEndpoints)
  const channel = createEndpointRows(database, 'channel', ofEndpoints)
  const queues = createQueueHandlers({ outbox, inbox, webhook, channel })
  return {
    tallies,
    marks,
    sessions,
    answers,
    results: new ResultRows(database, { marks, tally: tallies.results }),
    countResults: (request: ResultHeadsRequest) => countHeads(database, request),
    contacts: createContactRows(database),
    definitions: createDefinitionRows(database, opened),
    outbox,
    flows,
    inbox,
    queues,
    counts: createCountRows(database),
    probe: createProbe(database),
    sweeper: new Sweeper(database, { bounds, tallies, marks }),
  }
}

function readsOf(rows: Rows) {
  const { sessions, answers, results, contacts, definitions, flows, queues, counts, tallies } = rows
  return {
    'find session': sessions.find,
    'why missing': sessions.whyMissing,
    'due sessions': sessions.due,
    'find answer': answers.find,
    'get result': (_: number, flowId: string, id: string) => results.get(flowId, id),
    'has result': (_: number, id: string) => results.exists(id),
    'list results': (_: number, request: ResultHeadsRequest) => results.list(request),
    'outlived results': (_: number, now: number, limit: number) => results.outlived(now, limit),
    'list result names': (_: number, request: ResultHeadsRequest) => results.listNames(request),
    'count results': (_: number, request: ResultHeadsRequest) => rows.countResults(request),
    'find contact': contacts.find,
    'contact links': (now: number, key: string, request: ContactLinksRequest) =>
      contacts.links(now, key, request),
    'get definition': (_: number, hash: string) => definitions.get(hash),
    'list flows': flows.list,
    'find flow': (_: number, publicId: string) => flows.find(publicId),
    'list versions': (_: number, publicId: string) => flows.versions(publicId),
    ...queues.reads,
    'list audit': (_: number, before: number, limit: number) => flows.audit(before, limit),
    'sum counts': counts.sum,
    'first uncounted': counts.pendingSince,
    'page of counts': counts.page,
    'counted places': counts.places,
    usage: () =>
      structuredClone({ sessions: tallies.sessions, answers: tallies.answers, results: tallies.results }),
  }
}

function writesOf(rows: Rows) {
  const { sessions, answers, results, contacts, definitions, outbox, flows, inbox, queues, counts } = rows
  const { marks, probe, sweeper } = rows
  return {
    /** Returns the one that is there; undefined when this one was kept. */
    claim(now: number, answer: AnswerRow, expires: number): AnswerRow | undefined {
      const there = answers.find(now, answer.name)
      if (!there) answers.put(answer, expires)
      return there
    },
    unclaim: (_: number, name: string) => answers.remove(name),
    keep(now: number, request: KeepRequest): KeptRevision {
      const { session, results: changes, contact, answer, dropped, outgoing, facts } = request
      if (contact && !contacts.isCurrent(contact)) return undefined
      const kept = session ? sessions.keep(session, now) : keptAlone
      if (!kept) return undefined
      if (changes) for (const change of changes) results.change(change, true)
      if (contact && session) contacts.keep(contact, session.id, now)
      if (answer) answers.put(answer.row, answer.expires)
      else if (dropped !== undefined) answers.remove(dropped)
      if (outgoing) outbox.put(outgoing, now)
      if (facts !== undefined) counts.keep(facts)
      return kept
    },
    erase(now: number, ids: readonly string[]) {
      for (const id of ids) {
        sessions.erase(id)
        answers.removeOf(id)
        outbox.erase(id)
        marks.add('session', [id], now + erasedMs)
      }
    },
    'erase contact'(now: number, key: string) {
      contacts.erase(now, key)
      outbox.erase(key)
      inbox.erase(key)
    },
    'unlink contact': contacts.unlink,
    webhook: (_: number, id: string, revision: number, text: string) => sessions.webhook(id, revision, text),
    'append logs'(now: number, key: string, change: ResultUpdate): boolean {
      const report = [change.flowId, change.id, key]
      if (marks.has('report', report)) return true
      const isKept = results.change(change, false)
      if (isKept) marks.add('report', report, now + reportMs)
      return isKept
    },
    'add results': (now: number, added: readonly ResultUpdate[]) =>
      added.filter((one) => results.add(one, now)).length,
    /** Those that there were. */
    'delete results': (now: number, flowId: string, ids: readonly string[]) =>
      ids.flatMap((id) => {
        marks.add('result', [flowId, id], now + erasedMs)
        return results.remove(flowId, id) ?? []
      }),
    'forget values': (_: number, flowId: string, id: string, now: number) => results.forget(flowId, id, now),
    'put definitions': (_: number, all: readonly Definition[]) => all.forEach(definitions.put),
    /** Those whose text is missing. */
    'retain definitions': (_: number, hashes: readonly string[]) =>
      hashes.filter((hash) => !definitions.retain(hash)),
    'release definitions': (now: number, hashes: readonly string[]) => {
      for (const hash of hashes) definitions.release(hash, now)
    },
    'describe counted': counts.describe,
    'count facts': counts.fold,
    'change flow': flows.change,
    'note in audit': flows.note,
    ...queues.writes,
    /** Renews sessions that were read, and takes a step of erasing what is past its time. True when more is to do. */
    sweep(now: number, readSessions: readonly (readonly [id: string, at: number])[]): boolean {
      sweeper.renew(readSessions)
      const isMore = sweeper.step(now)
      const isMoreQueued = outbox.sweep(now, stepRows) + inbox.sweep(now, stepRows) >= stepRows
      const isMoreToCount = [counts.fold(now), counts.sweep(now)].includes(true)
      return definitions.prune(now) || isMore || isMoreQueued || isMoreToCount
    },
    /** Writes so many bytes, to find out whether that is possible. */
    probe: probe.write,
    'end probe': probe.erase,
  }
}
