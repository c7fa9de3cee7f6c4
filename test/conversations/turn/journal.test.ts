import { describe, expect, it } from 'vitest'
import { retell } from '../../../src/conversations/trace/retell.ts'
import { TraceBuilder } from '../../../src/conversations/trace/trace-builder.ts'
import { charactersIn } from '../../../src/conversations/turn/characters-in.ts'
import { type CallEntry, type CallSpans, Journal } from '../../../src/conversations/turn/journal.ts'
import type { Turn } from '../../../src/engine/turn/turn.ts'

const turn = { context: {}, budget: { trail: [] } } as unknown as Turn

const request = { method: 'GET', url: 'https://a.example/', headers: [], timeoutMs: 1 }
const effect = { type: 'request', request } as const
const response = (text: string) => ({ kind: 'response', status: 200, text }) as const

const tooMuch = 'x'.repeat(9 * 1024 * 1024)

/** A journal on a clock that moves when it is read, and the calls whose spans have ended. */
function openJournal(given: { leastCharacters?: number } = {}) {
  let now = 0
  const ended: CallEntry[] = []
  const span = { traceparent: 'named' } as never
  const spans: CallSpans = {
    turn: span,
    begin: () => span,
    propagate: (asked) => Object.assign({ named: true }, asked),
    end: (call) => ended.push(call),
  }
  const ports = { now: () => 0, elapsed: () => now++ }
  return { journal: new Journal({ ports, keepsSteps: true, spans, ...given }), ended }
}

describe('the journal of a turn', () => {
  it('has each call with its answer and its times, as it was asked', () => {
    const { journal } = openJournal()
    const call = journal.call(effect, turn)
    expect(call.effect).toEqual({ ...effect, named: true })
    call.answered(response('a'))
    expect(journal.calls).toMatchObject([
      { effect, outcome: { answer: response('a') }, startedAt: 1, endedAt: 2, blocks: 0 },
    ])
    expect(journal.calls[0]?.effect).toBe(effect)
  })

  it('is retold in order, without calls that failed with the turn', () => {
    const { journal } = openJournal()
    const passed: number[] = []
    journal.went({ why: 'start edge' })
    journal.call(effect, turn).failed(new Error('gone'))
    journal.went({ why: 'end' })
    const builder = new TraceBuilder(() => 0)
    retell(journal, builder, { owner: {}, passed: (at) => passed.push(at) })
    expect(builder.finish()).toEqual({ came: [{ why: 'start edge' }, { why: 'end' }], steps: [] })
    expect(passed).toEqual([1, 3, 4])
  })

  it('drops what there is no room for, and ends the spans of such calls at once', () => {
    const { journal, ended } = openJournal()
    journal.call(effect, turn).answered(response('a'))
    journal.wrote({ name: 'V' }, null, tooMuch)
    journal.call(effect, turn).answered(response('b'))
    expect(journal.isCut).toBe(true)
    expect(journal.entries).toHaveLength(1)
    expect(ended).toMatchObject([{ outcome: { answer: response('b') } }])
  })

  it('has room for a recording of any length', () => {
    const { journal } = openJournal({ leastCharacters: 10 * 1024 * 1024 })
    journal.call(effect, turn).answered(response(tooMuch))
    expect(journal.isCut).toBe(false)
    expect(journal.calls).toHaveLength(1)
  })

  it('does not look into programs, which are shared', () => {
    const { journal } = openJournal()
    const program = { id: 'other', text: tooMuch }
    journal.call({ type: 'link', flowId: 'other' }, turn).answered({ program })
    expect(journal.isCut).toBe(false)
  })
})

it('counts the characters of plain data, however deep it is', () => {
  let deep: unknown = 'abc'
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(charactersIn(deep)).toBe(800_003)
  expect(charactersIn({ a: 'ab', b: [1, null, 'c'] })).toBe(8 + 2 + 8 + 8 + 8 + 1)
})
