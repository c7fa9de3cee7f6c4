import type { FlowTable } from '../stores/flow-table.ts'
import type { ResultSelection } from './result-selection.ts'

/** Log entry of an erasure. It names no visitor: their data is what was to be erased. */
export interface Erasure {
  /** The name of the operator's token. */
  readonly actor: string
  /** As the operator called it. */
  readonly publicId: string
  readonly deleted: number
  /**
   * `id` for one result by its id, `contact` for those of a person, `age` for those that have outlived the time that their flow
   * gives them; undefined for all that there were.
   */
  readonly by: ResultSelection | 'id' | 'contact' | 'age' | undefined
}

export type NoteErasure = (erasure: Erasure) => Promise<void>

/**
 * Notes erasures in the log and in the audit. What can't be written there now stands in the log: the erasure itself can't
 * be undone, nor refused any more.
 */
export function createErasureLog(
  table: Pick<FlowTable, 'note'>,
  log: Record<'info' | 'error', (details: object, message: string) => void>,
): NoteErasure {
  return async ({ actor, publicId, deleted, by }) => {
    const filter = describeFilter(by)
    const facts = { flow: publicId, token: actor, deleted, filter }
    log.info(facts, 'results erased')
    const detail = `${deleted} ${deleted === 1 ? 'result' : 'results'}: ${filter}`
    try {
      await table.note({ actor, action: 'erase', subject: publicId, detail })
    } catch (err) {
      log.error({ ...facts, err }, 'an erasure could not be written to the audit')
    }
  }
}

/** A selection in words, without what it looks for in answers: that may name a visitor. */
export function describeFilter(by: Erasure['by']): string {
  if (by === undefined) return 'all'
  if (typeof by === 'string') return `by ${by}`
  const { from, until, answer, text, ...rest } = by
  const parts = [
    ...(from === undefined ? [] : [`from ${new Date(from).toISOString()}`]),
    ...(until === undefined ? [] : [`until ${new Date(until).toISOString()}`]),
    ...(answer === undefined ? [] : ['by an answer']),
    ...(text === undefined ? [] : ['by a text']),
    ...Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])),
  ]
  return parts.join(', ')
}
