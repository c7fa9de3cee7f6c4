import { updatedResult } from '../../../codec/apply-result-update.ts'
import { readResult, writeChange, writeResult } from '../../../codec/result-codec.ts'
import { mostScanned, searchFor } from '../../../codec/result-filter.ts'
import { headCharacters, sessionInHead } from '../../../codec/result-names.ts'
import { dueAfter, withoutOldValues } from '../../../codec/result-retention.ts'
import { type VisitColumns, visitColumns, withVisit } from '../../../codec/result-visit.ts'
import type { OutlivedResult, Result, ResultName, ResultUpdate, ResultVisit } from '../../../result-store.ts'
import type { Database } from '../binding.ts'
import type { Marks } from '../marks.ts'
import { countRow, type Tallies } from '../tally.ts'
import { findHeads, type ResultRequest } from './result-heads.ts'

interface Head {
  readonly number: number
  /** Bytes of changes that may still follow the result before it is written anew. */
  readonly room: number
  readonly size: number
}

/** Bytes of changes that may always follow a result. */
const leastRoom = 4096

/** Characters of a page. */
const pageCharacters = 8 * 1024 * 1024

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
    `INSERT INTO results (flow_id, id, created, changed, room, size, version, path, cohort, place, asked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
  )
  const update = database.prepare(
    `UPDATE results SET changed = ?, room = ?, size = ?, version = coalesce(?, version), path = coalesce(?, path),
       cohort = coalesce(?, cohort), place = coalesce(?, place), asked_at = coalesce(?, asked_at) WHERE number = ?`,
  )
  const visit = database.prepare(`SELECT ${visitColumns} FROM results WHERE number = ?`)
  const rewrite = database.prepare('UPDATE results SET room = ?, size = ?, due = ? WHERE number = ?')
  const setDue = database.prepare('UPDATE results SET due = ? WHERE flow_id = ? AND id = ? AND due IS NOT ?')
  const selectDue = database.prepare(
    'SELECT flow_id AS flowId, id FROM results WHERE due <= ? ORDER BY due LIMIT ?',
  )
  const remove = database.prepare('DELETE FROM results WHERE number = ?')
  const lines = database.prepare('SELECT line FROM result_lines WHERE result = ? ORDER BY number')
  const addLine = database.prepare('INSERT INTO result_lines (result, line) VALUES (?, ?)')
  const removeLines = database.prepare('DELETE FROM result_lines WHERE result = ?')
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

  function create(change: ResultUpdate, changed: number): void {
    const { flowId, id, now, visit } = change
    const text = writeResult(updatedResult(undefined, change))
    const size = Buffer.byteLength(text)
    const row = insert.get(flowId, id, now, changed, roomOf(size), size, ...columnsOfVisit(visit))
    addLine.run((row as { number: number }).number, text)
    countRow(tallies.results, size)
  }

  function append({ number, room, size }: Head, change: ResultUpdate): void {
    const line = writeChange(change)
    const added = Buffer.byteLength(line)
    if (added <= room) {
      addLine.run(number, line)
      update.run(change.now, room - added, size + added, ...columnsOfVisit(change.visit), number)
      tallies.results.bytes += added
      return
    }
    const text = writeResult(updatedResult(read(number), change))
    const whole = Buffer.byteLength(text)
    removeLines.run(number)
    addLine.run(number, text)
    update.run(change.now, roomOf(whole), whole, ...columnsOfVisit(change.visit), number)
    tallies.results.bytes += whole - size
  }

  /** Applies a change; false where that would make a result and may not, or where it was erased. */
  function apply(change: ResultUpdate, mayCreate: boolean, changed = change.now): boolean {
    const { flowId, id } = change
    const head = find(flowId, id)
    if (head) append(head, change)
    else if (mayCreate && !marks.has('result', [flowId, id])) create(change, changed)
    else return false
    if (change.retention) {
      const due = dueAfter(change) ?? null
      setDue.run(due, flowId, id, due)
    }
    return true
  }

  return {
    change: apply,
    /** Makes one, whose age counts from a moment; false where it is there, or was erased. */
    add: (change: ResultUpdate, changed: number) =>
      !find(change.flowId, change.id) && apply(change, true, changed),
    outlived: (now: number, limit: number) => selectDue.all(now, limit) as unknown as OutlivedResult[],
    /** Writes it anew without the values that are too old. */
    forget(flowId: string, id: string, now: number): void {
      const head = find(flowId, id)
      if (!head) return
      const { result, due = null } = withoutOldValues(read(head.number), now)
      const text = writeResult(result)
      const whole = Buffer.byteLength(text)
      removeLines.run(head.number)
      addLine.run(head.number, text)
      rewrite.run(roomOf(whole), whole, due, head.number)
      tallies.results.bytes += whole - head.size
    },
    get(flowId: string, id: string): Result | undefined {
      const head = find(flowId, id)
      return head && withVisit(read(head.number), visit.get(head.number) as VisitColumns)
    },
    /** Whether any flow has one of this id. */
    exists: (id: string) => selectAnywhere.get(id) !== undefined,
    /** With the number of the last one that was looked at, when others may follow it. */
    list(request: ResultRequest) {
      const { limit, filter } = request
      const search = searchFor(filter)
      const results: Result[] = []
      const { heads, end } = findHeads(database, { ...request, limit: search ? mostScanned : limit })
      let room = pageCharacters
      let last: number | undefined
      for (const head of heads) {
        if (last !== undefined && (results.length === limit || room <= 0)) return { results, last }
        const text = textOf(head.number)
        const result = !search || search.mayMatch(text) ? readResult(text) : undefined
        if (result && (search?.matches(result) ?? true)) results.push(withVisit(result, head))
        room -= head.size
        last = head.number
      }
      return { results, last: end }
    },
    /** The same whatever was answered, and without reading them. */
    listNames(request: ResultRequest) {
      const { heads, end } = findHeads(database, request)
      return {
        names: heads.map(({ number, id }) => ({ id, lastChatSessionId: sessionOf(number) })),
        last: end,
      }
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

/** Null leaves what there is. */
function columnsOfVisit(visit: ResultVisit | undefined): readonly (string | number | null)[] {
  if (!visit) return [null, null, null, null, null]
  return [visit.version, visit.path, visit.cohort, visit.place, visit.askedAt]
}
