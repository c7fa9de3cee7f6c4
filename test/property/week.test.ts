import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changeSession, sayAsPerson } from '../../src/conversations/take-over/act-on-session.ts'
import { fireTimer } from '../../src/conversations/timers/fire-timer.ts'
import { anonymous } from '../../src/ports/caller.ts'
import { Conversations } from '../../src/stores/conversations/conversations.ts'
import { MemoryContactStore } from '../../src/stores/memory/memory-contact-store.ts'
import { MemoryTable } from '../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../src/stores/memory/results/memory-result-store.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { fixedNow, fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { openMemoryOutbox } from '../support/memory-outbox.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

/** 10,000 where `npm run test:soak` runs it. */
const visitors = Number(process.env['VISITORS'] ?? 1000)

/** All times are minutes since the week began. */
const hour = 60
const day = 24 * hour
const week = 7 * day
/** The service is away meanwhile. */
const outage = { from: 3 * day, until: 3 * day + 5 * hour }
const ttl = 2 * day

const definition = wholeDefinition({
  variables: ['Name'],
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
    { id: 'long', type: 'idle', outgoingEdgeId: 'eD', options: { after: 'P1D', groupIds: ['a'] } },
    { id: 'idle', type: 'idle', outgoingEdgeId: 'eR', options: { after: 'PT30M', atMost: 2 } },
    { id: 'expire', type: 'expire', outgoingEdgeId: 'eX' },
  ],
  groups: {
    a: [
      { id: 'name?', text: 'Name?' },
      { id: 'name', type: 'text input', options: { variableId: 'vName' } },
      { id: 'prepare', type: 'Wait', options: { secondsToWaitFor: 3 * 3600, whenAnswered: 'keep' } },
      { id: 'ready', text: 'Ready, {{Name}}. Send it?' },
      { id: 'send', type: 'text input', outgoingEdgeId: 'eC' },
    ],
    c: [
      {
        id: 'handoff',
        type: 'Handoff',
        options: { message: 'Ann comes.', deadline: 'PT4H' },
        items: [{ id: 'late', outgoingEdgeId: 'eL' }],
      },
      { id: 'ship', type: 'Wait', options: { secondsToWaitFor: 26 * 3600 } },
      { id: 'arrived', type: 'text input' },
      { id: 'thanks', text: 'Thanks, {{Name}}.' },
    ],
    l: [{ id: 'l', text: 'Ann is away.', outgoingEdgeId: 'eS' }],
    r: [{ id: 'r', text: 'Still there?' }],
    d: [{ id: 'd', text: 'A day has gone by.' }],
    x: [{ id: 'x', text: 'Goodbye.' }],
  },
  edges: { eR: 'r', eD: 'd', eX: 'x', eC: 'c', eL: 'l', eS: { groupId: 'c', blockId: 'ship' } },
  settings: { general: { sessionTtl: 'P2D' } },
})

/**
 * What a visitor or a person does, and when, whatever comes of it: a visitor who says something where nothing waits begins anew, and a
 * person does nothing then.
 */
type Act =
  | { readonly at: number; readonly says: string; readonly does?: undefined }
  | { readonly at: number; readonly does: 'pause' | 'write' | 'open' | 'close' }

/** Visitors fall silent, answer at once or late, are handed over, and come back: drawn from the seed alone. */
function actsOf(seed: number): Act[][] {
  let state = seed >>> 0
  // mulberry32
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const upTo = (most: number) => 1 + Math.floor(draw() * most)
  const pauses = [() => upTo(25), () => upTo(3 * hour), () => upTo(day), () => upTo(4 * day)]
  return Array.from({ length: visitors }, () => {
    const acts: Act[] = []
    const timeOf = (at: number) => (at >= outage.from && at < outage.until ? outage.until : at)
    const pause = () => pauses[Math.floor(draw() * pauses.length)]!()
    for (let at = upTo(4 * day); at < week; at += pause()) {
      acts.push({ at: timeOf(at), says: `v${acts.length}` })
      if (draw() < 0.15) break
    }
    const does = ['pause', 'write', 'open', 'open', 'close'] as const
    for (let at = upTo(day) + upTo(day); draw() < 0.8 && at < week; at += pause())
      acts.push({ at: timeOf(at), does: does[Math.floor(draw() * does.length)]! })
    return acts.sort((one, other) => one.at - other.at)
  })
}

/** A conversation by the words of docs/behaviour/timers.md and handoff.md, for this flow alone: shares nothing with the engine. */
class Model {
  readonly lines: string[] = []
  readonly ends: string[] = []
  place: 'name' | 'prepare' | 'send' | 'handoff' | 'ship' | 'arrived' | 'over' = 'over'
  pausedBy: 'flow' | 'person' | undefined
  /** When a wait that a person has interrupted was to be over. */
  wake: number | undefined
  /** Of the last act. */
  since = 0
  name = ''
  answers: string[] = []
  due: { idle?: number; long?: number; wake?: number; expire?: number; deadline?: number } = {}
  reminded = 0
  kept: string[] = []

  run(acts: readonly Act[]): this {
    for (const act of acts) {
      this.passTo(act.at)
      this.since = act.at
      if (act.does !== undefined) this.act(act.at, act.does)
      else if (this.pausedBy) this.tell(act.at, `${act.says} > `)
      else this.say(act)
    }
    this.passTo(week)
    if (this.lines.length > 0 && this.place !== 'over') this.end('waits')
    return this
  }

  passTo(now: number): void {
    for (;;) {
      const [name, due] = Object.entries(this.due).sort(([, one], [, other]) => one - other)[0] ?? []
      if (name === undefined || due === undefined) return
      // What an act has left overdue is looked for the next time.
      const at = due <= this.since ? this.since + 1 : due
      const fires = at >= outage.from && at < outage.until ? outage.until : at
      if (fires > now) return
      this.fire(name, fires)
    }
  }

  fire(timer: string, now: number): void {
    if (timer === 'idle') {
      this.reminded += 1
      this.tell(now, 'Still there?')
      if (this.reminded < 2) this.due.idle = now + 30
      else delete this.due.idle
    } else if (timer === 'long') {
      this.tell(now, 'A day has gone by.')
      delete this.due.long
    } else if (timer === 'expire') {
      this.tell(now, 'Goodbye.')
      this.end('left')
    } else if (timer === 'deadline') {
      this.tell(now, 'Ann is away.')
      this.sleep('ship', now)
    } else if (this.place === 'prepare') {
      const [first] = this.kept
      const isSent = first === undefined ? '' : ',Ann comes.'
      this.tell(now, `Ready, ${this.name}. Send it?${isSent}`)
      this.ask('send', now)
      if (first !== undefined) this.answer(now, first)
    } else {
      this.tell(now, '')
      this.ask('arrived', now)
    }
  }

  act(at: number, does: string): void {
    if (this.place === 'over') return
    const before = this.pausedBy
    const isSleeping = this.place === 'prepare' || this.place === 'ship'
    if (does === 'pause') {
      this.wake ??= this.due.wake
      this.pausedBy ??= 'person'
      this.due = {}
    }
    if (does === 'write') delete this.due.deadline
    if (does === 'open' && before === 'flow') this.sleep('ship', at)
    if (does === 'open' && before === 'person') {
      if (isSleeping) this.sleepUntil(Number(this.wake), at)
      else this.ask(this.place, at)
    }
    const again =
      { name: 'Name?', send: `Ready, ${this.name}. Send it?` }[this.place as 'name' | 'send'] ?? ''
    const shown = does === 'write' ? 'Hi' : does === 'open' && before === 'person' ? again : ''
    this.tell(at, `${does} > ${shown}`)
    if (does === 'close') this.end('left')
  }

  say({ at, says }: { at: number; says: string }): void {
    if (this.place === 'over') {
      this.tell(at, `${says} > Name?`)
      this.answers = []
      this.ask('name', at)
    } else if (this.place === 'prepare') {
      this.kept.push(says)
      this.tell(at, `${says} > `)
    } else if (this.place === 'ship') {
      // It ends the wait, and is the answer to the input behind, before which nothing is shown.
      this.place = 'arrived'
      this.answer(at, says)
    } else this.answer(at, says)
  }

  answer(now: number, says: string): void {
    const isKept = this.kept.includes(says)
    this.answers.push(says)
    if (this.place === 'name') this.name = says
    if (this.place === 'arrived') {
      this.tell(now, `${says} > Thanks, ${this.name}.`)
      this.end('completed')
      return
    }
    const isSent = this.place === 'send'
    if (!isKept) this.tell(now, `${says} > ${isSent ? 'Ann comes.' : ''}`)
    this.kept = []
    if (!isSent) this.sleep('prepare', now)
    else Object.assign(this, { place: 'handoff', pausedBy: 'flow', due: { deadline: now + 4 * hour } })
  }

  sleep(place: 'prepare' | 'ship', now: number): void {
    this.place = place
    this.sleepUntil(now + (place === 'prepare' ? 3 : 26) * hour, now)
  }

  sleepUntil(wake: number, now: number): void {
    this.pausedBy = undefined
    this.wake = undefined
    this.due = { wake, expire: Math.max(wake, now) + ttl }
  }

  ask(place: Model['place'], now: number): void {
    this.place = place
    this.pausedBy = undefined
    this.reminded = 0
    this.due = { idle: now + 30, expire: now + ttl }
    // Its groups are those of the first two questions.
    if (place !== 'arrived') this.due.long = now + day
  }

  end(how: string): void {
    this.ends.push(`${how}: ${this.answers.join()}`)
    this.place = 'over'
    this.pausedBy = undefined
    this.wake = undefined
    this.kept = []
    this.due = {}
  }

  tell(at: number, line: string): void {
    this.lines.push(`${at} ${line}`)
  }
}

const operator = { kind: 'admin' as const, name: 'operator' }
const statuses = { pause: 'paused', open: 'open', close: 'closed' } as const

/** The same week with the engine, all visitors in one store; what each was told, and how their conversations ended. */
async function runWeek(acts: readonly Act[][]): Promise<Pick<Model, 'lines' | 'ends'>[]> {
  const ports = fixedPorts()
  const { now } = ports
  const most = { maxSessions: 10 * visitors, maxBytes: 2 ** 30, previewMaxBytes: 2 ** 20 }
  const results = new MemoryResultStore({ maxBytes: 2 ** 30 })
  const table = new MemoryTable({
    sessions: { ...most, ttlMs: 52 * week * 60_000 },
    answers: { maxBytes: 2 ** 20, ttlMs: 60_000 },
    results,
    contacts: new MemoryContactStore({ maxBytes: 2 ** 20, now }),
    outbox: openMemoryOutbox(now),
    now,
  })
  const { appendLogs } = results
  const conversations = new Conversations({ table, appendLogs, maxQueuedTurns: 16, now })
  const world = createTestChat([definition], { ports, conversations, results })
  const told = acts.map(() => ({ lines: [] as string[], begun: [] as string[], isOver: true, session: '' }))
  const visitorOf = new Map<string, number>()
  const textsOf = (response: Json) =>
    (response['messages'] as { content: { markdown: string } }[])
      .map(({ content }) => content.markdown)
      .join()

  async function fireAll(at: number): Promise<void> {
    for (let due = await conversations.due(100); due.length > 0; due = await conversations.due(100)) {
      for (const each of due) {
        const answer = await fireTimer(each, world)
        const visitor = told[visitorOf.get(each.id) as number]!
        if (answer === undefined) throw new Error('nobody else takes the turns of timers')
        const response = parseWire(answer)
        visitor.lines.push(`${at} ${textsOf(response)}`)
        visitor.isOver = (await conversations.look(each.id))?.session.state === 'ended'
      }
    }
  }

  async function act(index: number, { at, does }: Act & { readonly does: string }): Promise<void> {
    const visitor = told[index]!
    if (visitor.isOver) return
    const request = { sessionId: visitor.session, caller: operator }
    const before = (await conversations.look(visitor.session))?.revision
    if (does === 'write') await sayAsPerson({ ...request, body: { text: 'Hi', name: 'Ann' } }, world)
    else await changeSession({ ...request, body: { status: statuses[does as 'open'] } }, world)
    const { session, revision } = (await conversations.look(visitor.session))!
    const said = session.said?.find((each) => each.revision === revision && revision !== before)
    visitor.lines.push(`${at} ${does} > ${textsOf({ messages: said?.messages ?? [] })}`)
    visitor.isOver = session.state === 'ended'
  }

  async function say(index: number, { at, says }: { at: number; says: string }): Promise<void> {
    const visitor = told[index]!
    const body = { textBubbleContentFormat: 'markdown' as const }
    const request = { origin: undefined, caller: anonymous }
    if (visitor.isOver) {
      const started = parseWire(await world.chat.startPublished({ ...request, publicId: 'flow-1', body }))
      const { sessionId, resultId } = started as { sessionId: string; resultId: string }
      visitorOf.set(sessionId, index)
      visitor.begun.push(resultId)
      Object.assign(visitor, { session: sessionId, isOver: false })
      visitor.lines.push(`${at} ${says} > ${textsOf(started)}`)
      return
    }
    const sessionId = visitor.session
    const answered = parseWire(
      await world.chat.continue({ ...request, sessionId, body: { ...body, message: says } }),
    )
    visitor.lines.push(`${at} ${says} > ${textsOf(answered)}`)
    visitor.isOver = (await conversations.look(sessionId))?.session.state === 'ended'
  }

  const byMinute = new Map<number, [number, Act][]>()
  acts.forEach((all, index) => {
    for (const act of all) byMinute.set(act.at, [...(byMinute.get(act.at) ?? []), [index, act]])
  })
  for (let minute = 0; minute <= week; minute += 1) {
    const isAway = minute >= outage.from && minute < outage.until
    if (!isAway) await fireAll(minute)
    for (const [index, each] of byMinute.get(minute) ?? []) {
      if (each.does === undefined) await say(index, each)
      else await act(index, each)
    }
    ports.advance(60_000)
  }
  expect(now()).toBe(fixedNow + (week + 1) * 60_000)
  return await Promise.all(
    told.map(async ({ lines, begun, isOver }) => {
      const ends = begun.map(async (resultId, index) => {
        const { answers, isCompleted } = (await results.get('flow-1', resultId)) as never as {
          answers: { content: string }[]
          isCompleted: boolean
        }
        const isLast = index === begun.length - 1
        const how = isCompleted ? 'completed' : isLast && !isOver ? 'waits' : 'left'
        return `${how}: ${answers.map(({ content }) => content).join()}`
      })
      return { lines, ends: await Promise.all(ends) }
    }),
  )
}

it('brings a week of visitors where the flow says, and the same each time', async () => {
  const property = fc.asyncProperty(fc.integer({ min: 0 }), async (seed) => {
    const acts = actsOf(seed)
    const told = await runWeek(acts)
    const expected = acts.map((all) => new Model().run(all)).map(({ lines, ends }) => ({ lines, ends }))
    const wrong = told.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(expected[index]))
    if (wrong >= 0)
      expect({ acts: acts[wrong], ...told[wrong] }).toEqual({ acts: acts[wrong], ...expected[wrong] })
    const again = await runWeek(acts)
    expect(JSON.stringify(again) === JSON.stringify(told)).toBe(true)
    const ends = told.flatMap(({ ends }) => ends.map((end) => end.split(':')[0]))
    // Nothing of the flow is left out.
    expect(new Set(ends)).toEqual(new Set(['completed', 'left', 'waits']))
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
})
