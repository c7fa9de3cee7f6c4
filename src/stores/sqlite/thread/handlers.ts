import type { AnswerRow, DiskBounds, Kept, Operations, RequestOf } from '../database-protocol.ts'
import { createAnswerRows } from './answer-rows.ts'
import type { Database } from './binding.ts'
import { createDefinitionRows } from './definition-rows.ts'
import { createFlowRows } from './flow-rows.ts'
import { createMarks } from './marks.ts'
import { createProbe } from './probe.ts'
import { createResultRows } from './result-rows.ts'
import { createSessionRows, keptAlone } from './session-rows.ts'
import { createSweeper } from './sweeper.ts'
import { createTallies } from './tally.ts'

type Timed<K extends keyof Operations> = RequestOf<K> & { readonly now: number }

export type Handlers = { readonly [K in keyof Operations]: (request: Timed<K>) => ReturnType<Operations[K]> }

const dayMs = 24 * 60 * 60 * 1000

/** How long erasures are remembered: sessions that could bring something back are renewed by their visitors. */
const erasedMs = 366 * dayMs

/** How long a report of a client is known by its key. */
const reportMs = dayMs

/** Makes what runs requests, one at a time and each inside a transaction. */
export function createHandlers(
  database: Database,
  { bounds, now: opened }: { readonly bounds: DiskBounds; readonly now: number },
) {
  const tallies = createTallies(database)
  const marks = createMarks(database)
  const sessions = createSessionRows(database, { marks, tallies, ttlMs: bounds.sessionTtlMs })
  const answers = createAnswerRows(database, { marks, tallies })
  const results = createResultRows(database, { marks, tallies })
  const definitions = createDefinitionRows(database, opened)
  const flows = createFlowRows(database)
  const probe = createProbe(database)
  const sweeper = createSweeper(database, { bounds, tallies, marks })

  function keep({ session, results: changes, answer, dropped, now }: Timed<'keep'>): Kept {
    const kept = session ? sessions.keep(session, now) : keptAlone
    if (!kept) return undefined
    if (changes) for (const change of changes) results.change(change, true)
    if (answer) answers.put(answer.row, answer.expires)
    else if (dropped !== undefined) answers.remove(dropped)
    return kept
  }

  function claim(answer: AnswerRow, expires: number, now: number): AnswerRow | undefined {
    const there = answers.find(answer.name, now)
    if (!there) answers.put(answer, expires)
    return there
  }

  const handlers: Handlers = {
    'find session': ({ id, readAt, now }) => sessions.find(id, readAt, now),
    'why missing': ({ id, now }) => sessions.whyMissing(id, now),
    'find answer': ({ name, now }) => answers.find(name, now),
    claim: ({ answer, expires, now }) => claim(answer, expires, now),
    unclaim: ({ name }) => answers.remove(name),
    keep,
    erase({ ids, now }) {
      for (const id of ids) {
        sessions.erase(id)
        answers.removeOf(id)
        marks.add('session', [id], now + erasedMs)
      }
    },
    webhook: ({ id, revision, text }) => sessions.webhook(id, revision, text),
    'append logs'({ key, change, now }) {
      const report = [change.flowId, change.id, key]
      if (marks.has('report', report)) return true
      const isKept = results.change(change, false)
      if (isKept) marks.add('report', report, now + reportMs)
      return isKept
    },
    'get result': ({ flowId, id }) => results.get(flowId, id),
    'has result': ({ id }) => results.exists(id),
    'list results': (request) => results.list(request),
    'list result names': (request) => results.listNames(request),
    'delete results': ({ flowId, ids, now }) =>
      ids.flatMap((id) => {
        marks.add('result', [flowId, id], now + erasedMs)
        return results.remove(flowId, id) ?? []
      }),
    'put definitions': (request) => request.definitions.forEach(definitions.put),
    'get definition': ({ hash }) => definitions.get(hash),
    'retain definitions': ({ hashes }) => hashes.filter((hash) => !definitions.retain(hash)),
    'release definitions': ({ hashes, now }) => {
      for (const hash of hashes) definitions.release(hash, now)
    },
    'list flows': () => flows.list(),
    'find flow': ({ publicId }) => flows.find(publicId),
    'list versions': ({ publicId }) => flows.versions(publicId),
    'change flow': ({ change, now }) => flows.change(change, now),
    'note in audit': ({ entry, now }) => flows.note(entry, now),
    'list audit': ({ before, limit }) => flows.audit(before, limit),
    usage: () =>
      structuredClone({ sessions: tallies.sessions, answers: tallies.answers, results: tallies.results }),
    sweep({ reads, now }) {
      sweeper.renew(reads)
      const isMore = sweeper.step(now)
      return definitions.prune(now) || isMore
    },
    probe: ({ bytes, now }) => probe.write(bytes, now),
    'end probe': () => probe.erase(),
  }
  return { handlers, tallies }
}
