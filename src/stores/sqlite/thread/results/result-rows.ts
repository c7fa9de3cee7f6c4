import { updatedResult } from '../../../codec/apply-result-update.ts'
import { readResult, writeChange, writeResult } from '../../../codec/result-codec.ts'
import { mostScanned, readerFor } from '../../../codec/result-filter.ts'
import { headCharacters, sessionInHead } from '../../../codec/result-names.ts'
import { dueAfter, withoutOldValues } from '../../../codec/result-retention.ts'
import { type VisitColumns, visitColumns, withVisit } from '../../../codec/result-visit.ts'
import {
  asksForText,
  type OutlivedResult,
  type Result,
  type ResultName,
  type ResultUpdate,
  type ResultVisit,
} from '../../../result-store.ts'
import { prepareAll } from '../binding.ts'
import { erasedMs, type RowsContext } from '../rows-context.ts'
import { countRow, type Tally } from '../tally.ts'
import { countHeads, findHeads, type ResultHeadsRequest } from './result-heads.ts'

interface Head {
  readonly number: number
  /** Bytes of changes that may still follow the result before it is written anew. */
  readonly room: number
  readonly size: number
}

/** Bytes of changes that may always follow a result. */
const leastRoom = 4096

/** How long a report of a client is known by its key. */
const reportMs = 24 * 60 * 60 * 1000

/** Characters of a page. */
const pageCharacters = 8 * 1024 * 1024

const texts = {
  select: 'SELECT number, room, size FROM results WHERE flow_id = ? AND id = ?',
  selectAnywhere: `WITH RECURSIVE flows AS (
     SELECT min(flow_id) AS id FROM results
     UNION ALL
     SELECT (SELECT min(flow_id) FROM results WHERE flow_id > flows.id) FROM flows WHERE flows.id IS NOT NULL
   )
   SELECT 1 FROM flows JOIN results ON results.flow_id = flows.id AND results.id = ? LIMIT 1`,
  insert: `INSERT INTO results (flow_id, id, created, changed, room, size, version, path, cohort, place, asked_at)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  update: `UPDATE results SET changed = ?, room = ?, size = ?, version = coalesce(?, version), path = coalesce(?, path),
     cohort = coalesce(?, cohort), place = coalesce(?, place), asked_at = coalesce(?, asked_at) WHERE number = ?`,
  visit: `SELECT ${visitColumns} FROM results WHERE number = ?`,
  rewrite: 'UPDATE results SET room = ?, size = ?, due = ? WHERE number = ?',
  setDue: 'UPDATE results SET due = ? WHERE flow_id = ? AND id = ? AND due IS NOT ?',
  selectDue: 'SELECT flow_id AS flowId, id FROM results WHERE due <= ? ORDER BY due LIMIT ?',
  remove: 'DELETE FROM results WHERE number = ?',
  lines: 'SELECT line FROM result_lines WHERE result = ? ORDER BY number',
  addLine: 'INSERT INTO result_lines (result, line) VALUES (?, ?)',
  removeLines: 'DELETE FROM result_lines WHERE result = ?',
  lastHead: `SELECT substr(line, 1, ${headCharacters}) AS head FROM result_lines WHERE result = ? ORDER BY number DESC LIMIT 1`,
}

/** Results as lines: a turn appends one, so that it costs the same however much was said before. */
export class ResultRows {
  readonly #context: RowsContext
  readonly #tally: Tally
  readonly #statements

  constructor(context: RowsContext) {
    this.#context = context
    this.#tally = context.tallies.results
    this.#statements = prepareAll(context.database, texts)
  }

  /** Applies a change; false where that would make a result and may not, or where it was erased. */
  change(change: ResultUpdate, mayCreate: boolean, changed = change.now): boolean {
    const { flowId, id } = change
    const head = this.#find(flowId, id)
    if (head) this.#append(head, change)
    else if (mayCreate && !this.#context.marks.has('result', [flowId, id])) this.#create(change, changed)
    else return false
    if (change.retention) {
      const due = dueAfter(change) ?? null
      this.#statements.setDue.run(due, flowId, id, due)
    }
    return true
  }

  /** Makes those that are not there and were not erased, whose age counts from now on; how many. */
  add(changes: readonly ResultUpdate[]): number {
    const isMade = (change: ResultUpdate) =>
      !this.#find(change.flowId, change.id) && this.change(change, true, this.#context.clock.now)
    return changes.filter(isMade).length
  }

  /** Appends to one that is there, once for each key; false where there is none. */
  appendLogs(key: string, change: ResultUpdate): boolean {
    const { clock, marks } = this.#context
    const report = [change.flowId, change.id, key]
    if (marks.has('report', report)) return true
    const isKept = this.change(change, false)
    if (isKept) marks.add('report', report, clock.now + reportMs)
    return isKept
  }

  outlived(now: number, limit: number): readonly OutlivedResult[] {
    return this.#statements.selectDue.all(now, limit)
  }

  /** Writes it anew without the values that are too old. */
  forget(flowId: string, id: string, now: number): void {
    const head = this.#find(flowId, id)
    if (!head) return
    const { result, due = null } = withoutOldValues(this.#read(head.number), now)
    const size = this.#rewrite(head, writeResult(result))
    this.#statements.rewrite.run(roomOf(size), size, due, head.number)
  }

  get(flowId: string, id: string): Result | undefined {
    const head = this.#find(flowId, id)
    return head && withVisit(this.#read(head.number), this.#statements.visit.get(head.number) as VisitColumns)
  }

  /** Whether any flow has one of this id. */
  exists(id: string): boolean {
    return this.#statements.selectAnywhere.get(id) !== undefined
  }

  /** With the number of the last one that was looked at, when others may follow it. */
  list(request: ResultHeadsRequest) {
    const { limit, filter } = request
    const read = readerFor(filter)
    const results: Result[] = []
    const { heads, end } = findHeads(this.#context.database, {
      ...request,
      limit: asksForText(filter) ? mostScanned : limit,
    })
    let room = pageCharacters
    let last: number | undefined
    for (const head of heads) {
      if (last !== undefined && (results.length === limit || room <= 0)) return { results, last }
      const result = read(this.#textOf(head.number))
      if (result) results.push(withVisit(result, head))
      room -= head.size
      last = head.number
    }
    return { results, last: end }
  }

  /** The same whatever was answered, and without reading them. */
  listNames(request: ResultHeadsRequest) {
    const { heads, end } = findHeads(this.#context.database, request)
    return {
      names: heads.map(({ number, id }) => ({ id, lastChatSessionId: this.#sessionOf(number) })),
      last: end,
    }
  }

  count(request: ResultHeadsRequest) {
    return countHeads(this.#context.database, request)
  }

  /** Those that there were. */
  delete(flowId: string, ids: readonly string[]): readonly ResultName[] {
    const { clock, marks } = this.#context
    return ids.flatMap((id) => {
      marks.add('result', [flowId, id], clock.now + erasedMs)
      const head = this.#find(flowId, id)
      if (!head) return []
      const lastChatSessionId = this.#sessionOf(head.number)
      this.#statements.remove.run(head.number)
      this.#statements.removeLines.run(head.number)
      countRow(this.#tally, head.size, -1)
      return [{ id, lastChatSessionId }]
    })
  }

  #find(flowId: string, id: string): Head | undefined {
    return this.#statements.select.get(flowId, id)
  }

  #textOf(number: number): string {
    return this.#statements.lines
      .all<{ line: string }>(number)
      .map(({ line }) => line)
      .join('')
  }

  #read(number: number): Result {
    return readResult(this.#textOf(number))
  }

  /** Most changes name it; else it stands further back. */
  #sessionOf(number: number): string {
    const last = this.#statements.lastHead.get<{ head: string }>(number)
    return sessionInHead(last?.head ?? '') ?? this.#read(number).lastChatSessionId
  }

  #create(change: ResultUpdate, changed: number): void {
    const { flowId, id, now, visit } = change
    const text = writeResult(updatedResult(undefined, change))
    const size = Buffer.byteLength(text)
    const { insert, addLine } = this.#statements
    const visited = columnsOfVisit(visit)
    const { lastInsertRowid } = insert.run(flowId, id, now, changed, roomOf(size), size, ...visited)
    addLine.run(Number(lastInsertRowid), text)
    countRow(this.#tally, size)
  }

  #append(head: Head, change: ResultUpdate): void {
    const { addLine, update } = this.#statements
    const { number, room, size } = head
    const line = writeChange(change)
    const added = Buffer.byteLength(line)
    const visit = columnsOfVisit(change.visit)
    if (added <= room) {
      addLine.run(number, line)
      update.run(change.now, room - added, size + added, ...visit, number)
      this.#tally.bytes += added
      return
    }
    const whole = this.#rewrite(head, writeResult(updatedResult(this.#read(number), change)))
    update.run(change.now, roomOf(whole), whole, ...visit, number)
  }

  /** Puts one line in the place of all. Returns its bytes. */
  #rewrite({ number, size }: Head, text: string): number {
    const whole = Buffer.byteLength(text)
    this.#statements.removeLines.run(number)
    this.#statements.addLine.run(number, text)
    this.#tally.bytes += whole - size
    return whole
  }
}

const roomOf = (size: number) => Math.max(size, leastRoom)

/** Null leaves what there is. */
function columnsOfVisit(visit: ResultVisit | undefined): readonly (string | number | null)[] {
  if (!visit) return [null, null, null, null, null]
  return [visit.version, visit.path, visit.cohort, visit.place, visit.askedAt]
}
