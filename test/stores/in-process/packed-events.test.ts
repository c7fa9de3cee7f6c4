import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedEvents } from '../../../src/stores/in-process/packed-events.ts'

const event = (body: string) => ({
  destination: 'webhook:crm',
  line: 'a session',
  eventId: 'an event',
  type: 'turn.completed',
  body,
})

const text = fc.string({ unit: 'binary', maxLength: 30 })
const someEvent = fc.record({
  destination: text,
  line: text,
  eventId: text,
  type: text,
  sessionId: fc.option(text, { nil: undefined }),
  body: fc.oneof(
    text,
    fc.nat(200_000).map((length) => 'x'.repeat(length)),
    fc.nat(40_000).map((length) => '\u{1F600}'.repeat(length)),
    fc.constant('\ud800'),
  ),
})

describe('PackedEvents', () => {
  it('gives events as they were put, in their order', () => {
    const events = new PackedEvents()
    events.push({ ...event('{"a":"ä"}'), sessionId: 'another' }, 1_764_277_021_712.5)
    events.push(event('{"b":"日"}'), 0)
    expect(events.size).toBe(2)
    expect(events.shift()).toEqual({
      event: { ...event('{"a":"ä"}'), sessionId: 'another' },
      createdAt: 1_764_277_021_712.5,
    })
    expect(events.shift()).toEqual({ event: event('{"b":"日"}'), createdAt: 0 })
    expect(events.shift()).toBeUndefined()
    expect(events.size).toBe(0)
  })

  it('drops the first unread, with the length of its body', () => {
    const events = new PackedEvents()
    expect(events.drop()).toBeUndefined()
    events.push(event('12345'), 1)
    events.push(event('1'), 2)
    expect(events.drop()).toBe(5)
    expect(events.shift()?.createdAt).toBe(2)
  })

  it('is as a list, whatever is put and taken', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: someEvent },
      { weight: 2, arbitrary: fc.constantFrom('shift', 'drop') },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const events = new PackedEvents()
        const plain: unknown[] = []
        for (const [index, each] of steps.entries()) {
          if (each === 'shift') expect(events.shift()).toEqual(plain.shift())
          else if (each === 'drop')
            expect(events.drop()).toBe(
              (plain.shift() as { event: { body: string } } | undefined)?.event.body.length,
            )
          else {
            events.push(each as ReturnType<typeof event>, index)
            plain.push({ event: each, createdAt: index })
          }
          expect(events.size).toBe(plain.length)
        }
      }),
    )
  })
})
