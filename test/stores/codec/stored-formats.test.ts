import { expect, it } from 'vitest'
import { conversationFormat, writeConversation } from '../../../src/stores/codec/conversation-codec.ts'
import { changeColumns, resultColumns, resultFormat } from '../../../src/stores/codec/result-codec.ts'
import { wholeSession } from '../contracts/conversation-store.ts'

/** The fields of a session, and how many columns it, an entry of its queue, its contact and a timer have. */
function columnsOf() {
  const row = JSON.parse(writeConversation(wholeSession, 1)) as unknown[]
  const { contact, timers } = row.at(-1) as { contact: unknown[]; timers: unknown[][] }
  const entries = row[7] as unknown[][]
  return {
    fields: Object.keys(wholeSession).sort().join(' '),
    session: row.length,
    entry: Math.max(...entries.map(({ length }) => length)),
    contact: contact.length,
    timer: Math.max(...timers.map(({ length }) => length)),
  }
}

/**
 * A build drops what it has no column for, and both builds run beside each other during an update: a column more is another
 * format, which the build before refuses and leaves alone. Whoever changes these columns adds 1 to the format, has it read
 * the one before, and writes the new figures here.
 */
it('has the columns of its format', () => {
  expect({
    conversation: { format: conversationFormat, ...columnsOf() },
    result: { format: resultFormat, result: resultColumns, change: changeColumns },
  }).toEqual({
    conversation: {
      format: 7,
      fields:
        'answered channel contact counted createdAt id isProgressTracked isStreamEnabled isTrusted kind locale mails mocks needsToken pause payment publicId queue recording result returnMarks said state timers trace transcript waitingBlock',
      session: 11,
      entry: 11,
      contact: 8,
      timer: 6,
    },
    result: {
      format: 3,
      result: [
        'id',
        'flowId',
        'createdAt',
        'updatedAt',
        'lastChatSessionId',
        'hasStarted',
        'isCompleted',
        'variables',
        'answers',
        'transcript',
        'logs',
        'locale',
        'retention',
        'masked',
      ],
      change: [
        'now',
        'lastChatSessionId',
        'hasStarted',
        'isCompleted',
        'variables',
        'answers',
        'transcript',
        'logs',
        'requestId',
        'locale',
        'retention',
        'masked',
      ],
    },
  })
})
