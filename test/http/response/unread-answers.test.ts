import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { createUnreadAnswers } from '../../../src/http/response/unread-answers.ts'

/** Answers of one connection. */
function answersOf(count: number) {
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => undefined })
  const responses = Array.from({ length: count }, () =>
    Object.assign(new EventEmitter(), { req: { socket } }),
  )
  return { socket, responses: responses as unknown as ServerResponse[] }
}

it('listens to a connection once, however many of its answers wait to be read', () => {
  const unread = createUnreadAnswers({ maxBytes: 1_000 })
  const { socket, responses } = answersOf(50)
  for (const response of responses) unread.hold(response, 10)
  expect(socket.listenerCount('close')).toBe(1)
  expect(unread.usage()).toMatchObject({ entries: 50, bytes: 500 })
  responses[0]?.emit('finish')
  expect(unread.usage()).toMatchObject({ entries: 49, bytes: 490 })
  socket.emit('close')
  expect(unread.usage()).toMatchObject({ entries: 0, bytes: 0 })
})
