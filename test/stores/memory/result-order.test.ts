import { expect, it } from 'vitest'
import { createResultOrder } from '../../../src/stores/memory/result-order.ts'

const address = '192.0.2.1'

it('lets results without an answer go first, down to an eighth of the room', () => {
  const order = createResultOrder(800)
  order.use('answered', { address, isAnswered: true, bytes: 50 })
  order.use('started', { address, isAnswered: false, bytes: 90 })
  order.use('new', { address: '192.0.2.2', isAnswered: false, bytes: 20 })
  expect(order.next('new')).toBe('started')
  order.remove('started')
  expect(order.next('new')).toBe('answered')
})

it('lets an address that has more than an eighth make room for itself', () => {
  const order = createResultOrder(800)
  order.use('theirs', { address, isAnswered: true, bytes: 50 })
  order.use('first', { address: '192.0.2.2', isAnswered: true, bytes: 60 })
  order.use('second', { address: '192.0.2.2', isAnswered: true, bytes: 60 })
  expect(order.next('second')).toBe('first')
  expect(order.next('theirs')).toBe('first')
  order.use('first', { address: '192.0.2.2', isAnswered: true, bytes: 10 })
  expect(order.next('second')).toBe('theirs')
})

it('forgets what is gone', () => {
  const order = createResultOrder(800)
  order.use('only', { address, isAnswered: true, bytes: 700 })
  expect(order.next('only')).toBeUndefined()
  order.remove('only')
  expect(order.next('only')).toBeUndefined()
})
