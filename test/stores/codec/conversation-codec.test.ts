import { expect, it } from 'vitest'
import {
  readConversation,
  sessionColumns,
  writeConversation,
} from '../../../src/stores/codec/conversation-codec.ts'
import { smallSession, wholeSession } from '../contracts/conversation-store.ts'

it.each([
  ['nothing but what it must have', { session: smallSession, revision: 1 }],
  [
    'everything it can have',
    { session: wholeSession, revision: 12_345, payload: { number: 2, text: '{"a":null}' } },
  ],
])('reads a conversation with %s as it was written', (_, conversation) => {
  const { session, revision, payload } = { payload: undefined, ...conversation }
  expect(readConversation(writeConversation(session, revision), payload)).toEqual(conversation)
})

it('writes a conversation without the names of its properties, behind the number of its format', () => {
  expect(writeConversation(smallSession, 7)).toBe('[1,7,"s2","preview","ended",0,0,[]]')
})

it('writes an entry that holds nothing', () => {
  const queue = [{}] as unknown as (typeof smallSession)['queue']
  expect(writeConversation({ ...smallSession, queue }, 7)).toBe('[1,7,"s2","preview","ended",0,0,[[]]]')
})

it('writes a conversation that has none of the later properties in the first format, and the last for a contact and timers alone', () => {
  const { timers, said, locale, contact, pause, channel, counted, ...first } = wholeSession
  const later = [{}, { said }, { locale }, { counted }, { timers }, { contact }]
  const written = later.map((added) => {
    const session = { ...first, ...added }
    const text = writeConversation(session, 7)
    expect(readConversation(text).session).toEqual(session)
    return JSON.parse(text)[0]
  })
  expect(written).toEqual([1, 6, 6, 6, 7, 7])
})

/** A row whose last element has the columns that few have, as the format before wrote it: by their names. */
function rowOfNames() {
  const row = JSON.parse(writeConversation(wholeSession, 7))
  const { contact, timers } = wholeSession
  return { row, named: { ...row.pop(), contact, timers } }
}

it('reads format 6, which had the names of a contact and of timers', () => {
  const { row, named } = rowOfNames()
  const text = JSON.stringify([6, ...row.slice(1), named])
  expect(readConversation(text)).toEqual({ session: wholeSession, revision: 7 })
})

it.each([2, 3, 4, 5])('reads format %s, which had a place for each property', (format) => {
  const { row, named } = rowOfNames()
  const places = sessionColumns.slice(row.length - 2).map((column) => named[column] ?? null)
  const text = JSON.stringify([format, ...row.slice(1), ...places])
  expect(readConversation(text)).toEqual({ session: wholeSession, revision: 7 })
})

it.each([0, 8, 99, null])(
  'refuses format %s as something that another version of the service reads',
  (format) => {
    expect(() => readConversation(JSON.stringify([format, 7, 'some other shape']))).toThrow(
      expect.objectContaining({ name: 'ServiceError', code: 'SERVICE_UNAVAILABLE' }),
    )
  },
)
