import { updatedResult } from '../../codec/apply-result-update.ts'
import { readResult, writeChange, writeResult } from '../../codec/result-codec.ts'
import { mostScanned, searchFor } from '../../codec/result-filter.ts'
import { headCharacters, sessionInHead } from '../../codec/result-names.ts'
import type { Result, ResultFilter, ResultName, ResultUpdate } from '../../result-store.ts'
import type { Database } from './binding.ts'
import type { Marks } from './marks.ts'
import { countRow, type Tallies } from './tally.ts'

interface Head {
  readonly number: number
  /** Bytes of changes that may still follow the result before it is written anew. */
  readonly room: number
  readonly size: number
}

/** Asks for results that were made before the one of a number, the latest first. */
export interface ResultRequest {
  readonly flowId: string
  readonly before: number
  readonly limit: number
  readonly filter: ResultFilter
}

/** Bytes of changes that may always follow a result. */
const leastRoom = 4096

/** Characters of a page. */
const pageCharacters = 8 * 1024 * 1024

/** Milliseconds that no clock reaches. */
const forever = Number.MAX_SAFE_INTEGER

/** Results as lines: a turn appends one, so that it costs the same however much was said before. */
export function createResultRows(
  database: Database,
  { marks, tallies }: { readonly marks: Marks; readonly tallies: Tallies },
) {
  const select = database.prepare('SELECT number, room, size FROM results WHERE flow_id = ? AND id = ?')
  const selectAnywhere = database.prepare(
    `WITH RECURSIVE flows AS (
       SELECT min(flow_id) AS id FROM results
       UNION ALL
       SELECT (SELECT min(flow_id) FROM results WHERE flow_id > flows.id) FROM flows WHERE flows.id IS NOT NULL
     )
     SELECT 1 FROM flows JOIN results ON results.flow_id = flows.id AND results.id = ? LIMIT 1`,
  )
  const insert = database.prepare(
    'INSERT INTO results (flow_id, id, created, changed, room, size) VALUES (?, ?, ?, ?, ?, ?) RETURNING number',
  )
  const update = database.prepare('UPDATE results SET changed = ?, room = ?, size = ? WHERE number = ?')
  const remove = database.prepare('DELETE FROM results WHERE number = ?')
  const lines = database.prepare('SELECT line FROM result_lines WHERE result = ? ORDER BY number')
  const addLine = database.prepare('INSERT INTO result_lines (result, line) VALUES (?, ?)')
  const removeLines = database.prepare('DELETE FROM result_lines WHERE result = ?')
  const page = database.prepare(
    `SELECT number, id, size FROM results
     WHERE flow_id = ? AND number < ? AND created >= ? AND created < ? ORDER BY number DESC LIMIT ?`,
  )
  const lastHead = database.prepare(
    `SELECT substr(line, 1, ${headCharacters}) AS head FROM result_lines WHERE result = ? ORDER BY number DESC LIMIT 1`,
  )
  const find = (flowId: string, id: string) => select.get(flowId, id) as Head | undefined
  const textOf = (number: number) =>
    (lines.all(number) as { line: string }[]).map(({ line }) => line).join('')
  const read = (number: number) => readResult(textOf(number))
  /** Most changes name it; else it stands further back. */
  const sessionOf = (number: number) =>
    sessionInHead((lastHead.get(number) as { head: string }).head) ?? read(number).lastChatSessionId
  const roomOf = (size: number) => Math.max(size, leastRoom)

  function create(change: ResultUpdate): void {
    const text = writeResult(updatedResult(undefined, change))
    const size = Buffer.byteLength(text)
    const row = insert.get(change.flowId, change.id, change.now, change.now, roomOf(size), size)
    addLine.run((row as { number: number }).number, text)
    countRow(tallies.results, size)
  }

  function append({ number, room, size }: Head, change: ResultUpdate): void {
    const line = writeChange(change)
    const added = Buffer.byteLength(line)
    if (added <= room) {
      addLine.run(number, line)
      update.run(change.now, room - added, size + added, number)
      tallies.results.bytes += added
      return
    }
    const text = writeResult(updatedResult(read(number), change))
    const whole = Buffer.byteLength(text)
    removeLines.run(number)
    addLine.run(number, text)
    update.run(change.now, roomOf(whole), whole, number)
    tallies.results.bytes += whole - size
  }

  return {
    /** Applies a change; false where that would make a result and may not, or where it was erased. */
    change(change: ResultUpdate, mayCreate: boolean): boolean {
      const { flowId, id } = change
      const head = find(flowId, id)
      if (head) append(head, change)
      else if (mayCreate && !marks.has('result', [flowId, id])) create(change)
      else return false
      return true
    },
    get(flowId: string, id: string): Result | undefined {
      const head = find(flowId, id)
      return head && read(head.number)
    },
    /** Whether any flow has one of this id. */
    exists: (id: string) => selectAnywhere.get(id) !== undefined,
    /** With the number of the last one, when others follow it. */
    list({ flowId, before, limit, filter }: ResultRequest) {
      const { from = -forever, until = forever } = filter
      const search = searchFor(filter)
      const most = search ? mostScanned : limit
      const results: Result[] = []
      const rows = page.all(flowId, before, from, until, most + 1) as Omit<Head, 'room'>[]
      let room = pageCharacters
      let last: number | undefined
      for (const { number, size } of rows.slice(0, most)) {
        if (last !== undefined && (results.length === limit || room <= 0)) return { results, last }
        const text = textOf(number)
        const result = !search || search.mayMatch(text) ? readResult(text) : undefined
        if (result && (search?.matches(result) ?? true)) results.push(result)
        room -= size
        last = number
      }
      return { results, last: rows.length > most ? last : undefined }
    },
    /** The same whatever was answered, and without reading them. */
    listNames({ flowId, before, limit, filter: { from = -forever, until = forever } }: ResultRequest) {
      const rows = page.all(flowId, before, from, until, limit + 1) as { number: number; id: string }[]
      const named = rows.slice(0, limit)
      const names = named.map(({ number, id }) => ({ id, lastChatSessionId: sessionOf(number) }))
      return { names, last: rows.length > limit ? named.at(-1)?.number : undefined }
    },
    /** The one that there was. */
    remove(flowId: string, id: string): ResultName | undefined {
      const head = find(flowId, id)
      if (!head) return undefined
      const lastChatSessionId = sessionOf(head.number)
      remove.run(head.number)
      removeLines.run(head.number)
      countRow(tallies.results, head.size, -1)
      return { id, lastChatSessionId }
    },
  }
}
