import { expect, it } from 'vitest'
import { type Ranked, ResultOrder } from '../../../src/stores/memory/results/result-order.ts'

class Result implements Ranked<Result> {
  readonly address: string
  isAnswered: boolean
  size: number
  bytes = 0
  before: Result | undefined = undefined
  after: Result | undefined = undefined
  ownBefore: Result | undefined = undefined
  ownAfter: Result | undefined = undefined
  changedBefore: Result | undefined = undefined
  changedAfter: Result | undefined = undefined

  constructor(address: string, isAnswered: boolean, size: number) {
    this.address = address
    this.isAnswered = isAnswered
    this.size = size
  }
}

const result = (address: string, isAnswered: boolean, size: number) => new Result(address, isAnswered, size)

/** An order in which the results were used one after the other. */
function orderOf(...results: Result[]): ResultOrder<Result> {
  const order = new ResultOrder<Result>(800)
  for (const each of results) order.use(each)
  return order
}

const one = '192.0.2.1'
const other = '192.0.2.2'

it('lets results without an answer go first, down to an eighth of the room', () => {
  const answered = result(one, true, 50)
  const started = result(one, false, 90)
  const late = result(other, false, 20)
  const order = orderOf(answered, started, late)
  expect(order.next(late)).toBe(started)
  order.remove(started)
  expect(order.next(late)).toBe(answered)
})

it('lets an address that has more than an eighth make room for itself', () => {
  const theirs = result(one, true, 50)
  const first = result(other, true, 60)
  const second = result(other, true, 60)
  const order = orderOf(theirs, first, second)
  expect(order.next(second)).toBe(first)
  expect(order.next(theirs)).toBe(first)
  first.size = 10
  order.use(first)
  expect(order.next(second)).toBe(theirs)
})

it('forgets what is gone', () => {
  const only = result(one, true, 700)
  const order = orderOf(only)
  expect(order.next(only)).toBeUndefined()
  order.remove(only)
  expect(order.next(only)).toBeUndefined()
})
