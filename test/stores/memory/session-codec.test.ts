import { expect, it } from 'vitest'
import { readSession, writeSession } from '../../../src/stores/memory/session-codec.ts'
import type { Session } from '../../../src/stores/session.ts'

const bare: Session = { id: 's', kind: 'preview', state: 'ended', createdAt: 0, queue: [], answered: 0 }

const whole: Required<Session> = {
  id: 'session-1',
  kind: 'live',
  state: 'waiting',
  createdAt: 1_767_225_600_000,
  queue: [
    { program: 'hash-2', flowId: 'flow-2', variables: [], answers: [], sharesVariables: true, isAside: true },
    {
      program: 'hash-1',
      flowId: 'flow-1',
      variables: [
        ['v1', 'null'],
        ['v2', null],
        ['v3', ['a', null]],
      ],
      answers: [['Name', '"日本"']],
      inherited: [['Other', null]],
      sessionOnly: ['v3'],
      resultId: 'result-1',
      resumeAt: { blockId: 'b2', groupId: 'g1' },
      mergesResults: true,
    },
  ],
  waitingBlock: { blockId: 'b1' },
  isStreamEnabled: true,
  answered: 3,
  mails: 1,
  isProgressTracked: false,
  returnMarks: [{ height: 0, blockId: 'b3', reply: { type: 'text', text: '' } }],
  transcript: ['User: "Hi"'],
  publicId: 'welcome',
  result: { flowId: 'flow-1', id: 'result-1' },
  payload: '{"a":null}',
  isTrusted: true,
}

it.each([
  ['nothing but what it must have', bare],
  ['everything it can have', whole],
])('a session with %s is read as it was written', (_, session) => {
  expect(readSession(writeSession(session))).toEqual(session)
})

it('a session is written without the names of its properties', () => {
  expect(writeSession(bare)).toBe('["s","preview","ended",0,0,[]]')
})
