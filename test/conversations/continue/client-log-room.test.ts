import { expect, it } from 'vitest'
import { createClientLogRoom } from '../../../src/conversations/continue/client-log-room.ts'

const minuteMs = 60_000
const long = (description: string) => ({ description })

it('has room again in the next minute, and for another result', () => {
  const room = createClientLogRoom()
  const logs = [long('x'.repeat(10_000)), long('y'.repeat(10_000)), long('z')]
  expect(room.fit('r1', logs, 0)).toEqual([logs[0], logs[2]])
  expect(room.fit('r1', logs, minuteMs - 1)).toEqual([logs[2]])
  expect(room.fit('r2', logs, 0)).toEqual([logs[0], logs[2]])
  expect(room.fit('r1', logs, minuteMs)).toEqual([logs[0], logs[2]])
})

it('takes one log of any length', () => {
  const log = { description: 'x'.repeat(16_384), context: 'y'.repeat(16_384) }
  expect(createClientLogRoom().fit('r1', [log, log], 0)).toEqual([log])
})
