import { ServiceError } from '../../lib/errors.ts'
import type { ResultPage, ResultPageRequest } from '../result-store.ts'

type Order = ResultPageRequest['order']

/** A cursor of one order means nothing in the other. */
const wordOf = (order: Order) => (order === 'earliest' ? 'after' : 'before')

/** The place behind the result of a number, as clients hand it back. */
export function writeCursor(number: number, order?: Order): string {
  return Buffer.from(`${wordOf(order)} ${number}`).toString('base64url')
}

/** The end of a page: where the next one begins, behind the result of a number. */
export const nextOf = (last: number | undefined, order?: Order): Pick<ResultPage, 'nextCursor'> =>
  last === undefined ? {} : { nextCursor: writeCursor(last, order) }

/** Throws BAD_REQUEST for what `writeCursor` has not written in that order. */
function readCursor(cursor: string, order?: Order): number {
  const [, word, digits] =
    /^(before|after) ([1-9]\d{0,14})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (word === wordOf(order)) return Number(digits)
  const message = 'This is not a cursor that a page of results gave in this order'
  throw new ServiceError('BAD_REQUEST', message, { problems: [{ pointer: '/cursor', message }] })
}

/** Beyond the number of every result. */
const beyondAll = Number.MAX_SAFE_INTEGER

/** The number that the results of a page lie beyond. */
export function startOf({ cursor, order }: Pick<ResultPageRequest, 'cursor' | 'order'>): number {
  if (cursor !== undefined) return readCursor(cursor, order)
  return order === 'earliest' ? 0 : beyondAll
}
