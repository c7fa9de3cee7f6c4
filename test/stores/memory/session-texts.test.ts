import { expect, it } from 'vitest'
import { revisionOf } from '../../../src/stores/codec/conversation-codec.ts'
import { MemoryTexts } from '../../../src/stores/memory/session-texts.ts'
import { smallSession, wholeSession } from '../contracts/conversation-store.ts'

it.each([
  ['nothing but what it must have', smallSession],
  ['everything it can have', { ...wholeSession, kind: 'live' as const }],
  ['everything, as a preview', { ...wholeSession, kind: 'preview' as const }],
])('reads a session with %s as it was written', (_, session) => {
  const texts = new MemoryTexts()
  const text = texts.write(session, 12_345)
  expect(texts.read(text, session.id, session.kind)).toEqual({ session, revision: 12_345 })
  expect(revisionOf(text)).toBe(12_345)
})

it('writes neither its id nor its kind, and versions of flows as numbers, but for those of drafts', () => {
  const texts = new MemoryTexts()
  const entry = { program: 'a-hash', flowId: 'f', variables: [], answers: [] }
  const live = {
    ...smallSession,
    kind: 'live' as const,
    queue: [entry, { ...entry, program: 'another' }, entry],
  }
  const row = '"f",[],[]]'
  expect(texts.write(live, 7)).toBe(`[2,7,0,0,[[0,${row},[1,${row},[0,${row}]]`)
  expect(texts.write({ ...live, kind: 'preview' }, 7)).toContain('"a-hash"')
})

it('writes versions out once it has numbers for very many', () => {
  const texts = new MemoryTexts()
  const sessionOf = (program: string) => {
    const queue = [{ program, flowId: 'f', variables: [], answers: [] }]
    return { ...smallSession, kind: 'live' as const, queue }
  }
  for (let number = 0; number < 10_000; number++) texts.write(sessionOf(`v${number}`), 1)
  const last = sessionOf('last')
  const text = texts.write(last, 1)
  expect(text).toContain('"last"')
  expect(texts.read(text, last.id, 'live').session).toEqual(last)
})
