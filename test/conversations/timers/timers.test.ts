import { expect, it, onTestFinished, vi } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { fireTimer } from '../../../src/conversations/timers/fire-timer.ts'
import { skipToTimer } from '../../../src/conversations/timers/skip-to-timer.ts'
import { TimerRunner } from '../../../src/conversations/timers/timer-runner.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { checkRecording, compileRecorded } from '../../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../../src/tooling/replay/replay-recording.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { FixedPorts } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { beginPreview, beginPublished, sessionOf, type TestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

const flow = (events: Json[], more: Json = {}) =>
  wholeDefinition({
    events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e-start' }, ...events],
    groups: {
      a: [{ id: 'i', type: 'text input' }],
      r: [{ id: 'r', text: 'Still there?' }],
      ...(more['groups'] as Json),
    },
    edges: { eR: 'r', eX: 'x', eP: 'p' },
    ...(more['settings'] !== undefined && { settings: more['settings'] }),
  })
const idle = (after: string, more: Json = {}) => ({
  id: `idle ${after}`,
  type: 'idle',
  outgoingEdgeId: 'eR',
  options: { after, ...more },
})
const expire = { id: 'expire', type: 'expire', outgoingEdgeId: 'eX' }
const seen = async ({ chat }: TestChat) =>
  parseWire(await chat.getSession({ sessionId: 'session-1', caller: anonymous, origin: undefined }))
const minuteMs = 60_000

it('shows the messages of timers with each look, until the visitor does something', async () => {
  const {
    world,
    after,
    continue: say,
  } = await beginPublished({ definition: flow([idle('PT1M', { atMost: 3 })]) })
  await after('PT1M')
  await after('PT1M')
  for (const _ of [1, 2])
    expect(await seen(world)).toMatchObject({
      messages: [{ id: 'r' }, { id: 'r' }],
      input: { id: 'i' },
      // Each passing of time takes a second more.
      actsAfterSeconds: 58,
    })
  expect((await sessionOf(world, 'session-1'))?.said?.map(({ revision }) => revision)).toEqual([2, 3])
  await expect(say({ message: { type: 'command', command: 'none' } })).rejects.toThrow()
  expect(await seen(world)).toMatchObject({ messages: [{}, {}] })
})

it('tells a stream of events the messages that come after what its client knows', async () => {
  const { world, after } = await beginPublished({ definition: flow([idle('PT1M', { atMost: 2 })]) })
  await after('PT1M')
  const start = (await sessionOf(world, 'session-1'))?.createdAt ?? 0
  const nameOf = (revision: number) => `${revision}-${start.toString(36)}`
  async function followSince(revision: number) {
    const events: unknown[] = []
    const ended = new AbortController()
    onTestFinished(() => ended.abort())
    const named = { sessionId: 'session-1', caller: anonymous, origin: undefined, address: 'a' }
    const follow = await world.chat.follow({ ...named, signal: ended.signal, since: nameOf(revision) })
    follow({
      receive: (event) => events.push(event),
      end: () => undefined,
      fail: (error) => events.push(error),
    })
    return events
  }
  const events = await followSince(2)
  await after('PT1M')
  await expect.poll(() => events.length).toBe(2)
  expect(events).toMatchObject([
    { type: 'messages', version: nameOf(3) },
    { type: 'updated', version: nameOf(3) },
  ])
  const [{ data }] = events as [{ data: string }]
  expect(JSON.parse(data)).toMatchObject({ version: nameOf(3), messages: [{ id: 'r', type: 'text' }] })
  // By the name of each, one whose connection ends behind it asks for the next.
  const all = await followSince(1)
  await expect.poll(() => all.length).toBe(3)
  expect(all).toMatchObject([
    { type: 'messages', version: nameOf(2) },
    { type: 'messages', version: nameOf(3) },
    { type: 'updated', version: nameOf(3) },
  ])
})

it('keeps exactly one turn of all that try to take the same', async () => {
  const { world } = await beginPublished({ definition: flow([idle('PT1M', { atMost: 9 })]) })
  const ports = world.ports as FixedPorts
  ports.advance(minuteMs)
  const [due] = await world.conversations.due(5)
  const answers = await Promise.all([1, 2, 3].map(() => fireTimer(due!, world)))
  expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
  expect(await fireTimer(due!, world)).toBeUndefined()
  expect(await world.conversations.due(5)).toEqual([])
})

it('lets no session wait for the slow turn of another, and ends behind the turns under way', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { world } = await beginPublished({ definition: flow([idle('PT1M')]) })
  const ports = world.ports as FixedPorts
  const saidIn = async (id: string) => (await sessionOf(world, id))?.said?.length
  let goOn = () => {}
  const slow = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const commit: typeof world.conversations.commit = async (lease, turn) => {
    if (lease.id === 'session-1') await slow
    return world.conversations.commit(lease, turn)
  }
  const timers = new TimerRunner({ ...world, conversations: { ...world.conversations, commit } as never })
  ports.advance(minuteMs / 2)
  await world.chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
  for (const _ of [1, 2]) {
    ports.advance(minuteMs / 2)
    await vi.advanceTimersByTimeAsync(1000)
  }
  await expect.poll(() => saidIn('session-2')).toBe(1)
  expect(await saidIn('session-1')).toBeUndefined()
  const ended = timers.end()
  goOn()
  await ended
  expect(await saidIn('session-1')).toBe(1)
})

it('looks again once the store is back, and warns of nothing but defects meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { world } = await beginPublished({ definition: flow([idle('PT1M')]) })
  ;(world.ports as FixedPorts).advance(minuteMs)
  const failures = [new ServiceError('SERVICE_UNAVAILABLE', 'away'), new Error('defect')]
  const due: typeof world.conversations.due = async (limit) => {
    const failure = failures.shift()
    if (failure) throw failure
    return world.conversations.due(limit)
  }
  const timers = new TimerRunner({ ...world, conversations: { ...world.conversations, due } as never })
  await vi.advanceTimersByTimeAsync(3000)
  await timers.end()
  expect((await sessionOf(world, 'session-1'))?.said).toHaveLength(1)
  expect(world.warnings).toEqual([{ err: expect.objectContaining({ message: 'defect' }) }])
})

it('warns of turns that fail by defects, and of none that the store is away for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { world } = await beginPublished({ definition: flow([idle('PT1M')]) })
  ;(world.ports as FixedPorts).advance(minuteMs)
  let elapsed = 0
  const ports = { ...world.ports, elapsed: () => elapsed }
  const failures = [new ServiceError('SERVICE_UNAVAILABLE', 'away'), new Error('defect')]
  const enter: typeof world.conversations.enter = async (request) => {
    const failure = failures.shift()
    if (failure) throw failure
    return world.conversations.enter(request)
  }
  const conversations = { ...world.conversations, enter } as never
  const timers = new TimerRunner({ ...world, ports, conversations })
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(1000)
    elapsed += minuteMs
  }
  await timers.end()
  expect((await sessionOf(world, 'session-1'))?.said).toHaveLength(1)
  expect(world.warnings).toEqual([{ err: expect.objectContaining({ message: 'defect' }) }])
})

it('takes what came due meanwhile once, the earliest first, when the service is back', async () => {
  const { world } = await beginPublished({ definition: flow([idle('PT10M'), idle('PT1M')]) })
  ;(world.ports as FixedPorts).advance(60 * minuteMs)
  const fired: (string | undefined)[] = []
  for (let [due] = await world.conversations.due(1); due; [due] = await world.conversations.due(1)) {
    const before = (await sessionOf(world, 'session-1'))?.timers ?? []
    await fireTimer(due, world)
    const after = (await sessionOf(world, 'session-1'))?.timers ?? []
    fired.push(
      before.find(({ due, eventId }) => due && !after.some((each) => each.eventId === eventId && each.due))
        ?.eventId,
    )
  }
  expect(fired).toEqual(['idle PT1M', 'idle PT10M'])
})

it('sets none off where its visitor answers in time, and counts anew from then on', async () => {
  const groups = {
    a: [
      { id: 'i', type: 'text input' },
      { id: 'j', type: 'text input' },
    ],
  }
  const { after, continue: say } = await beginPublished({ definition: flow([idle('PT5M')], { groups }) })
  expect(await after('PT4M')).toEqual([])
  await say({ message: 'a' })
  expect(await after('PT4M')).toEqual([])
  expect(await after('PT2M')).toMatchObject([{ messages: [{ id: 'r' }], input: { id: 'j' } }])
})

it('keeps to the groups that an event is for, and to questions', async () => {
  const listening = { groups: { a: [{ id: 'w', type: 'webhook' }] } }
  for (const definition of [flow([idle('PT1M', { groupIds: ['r'] })]), flow([idle('PT1M')], listening)]) {
    const { after } = await beginPublished({ definition })
    expect(await after('PT10M')).toEqual([])
  }
})

it('ends a conversation at the end of its idle life, behind the way of its event, and completes no result', async () => {
  const x = [
    { id: 'x', text: 'Closed' },
    { id: 'q', type: 'text input' },
  ]
  const settings = { general: { sessionTtl: 'PT30M' } }
  const groups = {
    a: [
      { id: 'i', type: 'text input' },
      { id: 'j', type: 'text input' },
    ],
    x,
  }
  const definition = flow([expire, idle('PT5M')], { settings, groups })
  const { world, after, continue: say } = await beginPublished({ definition })
  await say({ message: 'Ada' })
  expect(await after('PT29M')).toMatchObject([{ messages: [{ id: 'r' }] }])
  const [goodbye, ...none] = await after('P1D')
  expect(none).toEqual([])
  expect(goodbye).toMatchObject({ messages: [{ id: 'x' }] })
  expect(goodbye).not.toHaveProperty('input')
  await expect(say({ message: 'late' })).rejects.toThrow('Session not found.')
  const result = await world.results.get('flow-1', 'result-1')
  expect(result).toMatchObject({ isCompleted: false, answers: [{ content: 'Ada' }] })
})

it('ends one without an event without a word', async () => {
  const definition = flow([], { settings: { general: { sessionTtl: 'PT30M' } } })
  const { world, after } = await beginPublished({ definition })
  expect(await after('PT31M')).toMatchObject([{ messages: [] }])
  expect((await sessionOf(world, 'session-1'))?.state).toBe('ended')
})

it('writes texts as the client asked for them last', async () => {
  const body = { textBubbleContentFormat: 'markdown' }
  const { after } = await beginPublished({ definition: flow([idle('PT1M')]), body })
  expect(await after('PT1M')).toMatchObject([{ messages: [{ content: { markdown: 'Still there?' } }] }])
})

it('counts the same for a start that is served as another was', async () => {
  const definition = flow([idle('PT10M')])
  const { world } = await beginPublished({ definition })
  ;(world.ports as FixedPorts).advance(5 * minuteMs)
  await world.chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
  const dues = await Promise.all(['session-1', 'session-2'].map((id) => sessionOf(world, id)))
  expect(dues.map((session) => session?.timers?.[0]?.due)).toEqual(
    dues.map((session) => Number(session?.createdAt) + 10 * minuteMs),
  )
})

it('traces the turn of a timer', async () => {
  const { world, after } = await beginPreview({ definition: flow([idle('PT1M')]), body: { trace: true } })
  await after('PT1M')
  const { trace } = (await sessionOf(world, 'session-1')) ?? {}
  expect(trace?.kept.at(-1)).toMatchObject({
    entry: 'timer',
    came: [{ why: 'event', eventId: 'idle PT1M' }],
    steps: [{ block: { groupId: 'r' } }, { block: { groupId: 'a' } }],
  })
})

it('skips to the timers of a preview, whose clock moves there where it stands', async () => {
  const clock = '2026-11-21T09:00:00Z'
  const definition = flow([idle('PT1H', { atMost: 2 })])
  const { world } = await beginPreview({ definition, body: { mocks: { clock } } })
  const request = { sessionId: 'session-1', caller: anonymous, origin: undefined }
  expect(await seen(world)).toMatchObject({ timers: [{ type: 'idle', due: '2026-11-21T10:00:00.000Z' }] })
  ;(world.ports as FixedPorts).advance(24 * 60 * minuteMs)
  expect(await world.conversations.due(5)).toEqual([])
  expect(parseWire(await skipToTimer(request, world))).toMatchObject({
    messages: [{ id: 'r' }],
    input: { id: 'i' },
  })
  expect(await seen(world)).toMatchObject({ timers: [{ due: '2026-11-21T11:00:00.000Z' }] })
  await skipToTimer(request, world)
  await expect(skipToTimer(request, world)).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('shows nobody the timers of a live session, and skips none of them', async () => {
  const { world } = await beginPublished({ definition: flow([idle('PT1H')]) })
  expect(await seen(world)).not.toHaveProperty('timers')
  const request = { sessionId: 'session-1', caller: anonymous, origin: undefined }
  await expect(skipToTimer(request, world)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('replays a conversation with the turns of its timers', async () => {
  const x = [{ id: 'x', text: 'Closed' }]
  const groups = {
    a: [
      { id: 'w', type: 'Wait', options: { secondsToWaitFor: 90 } },
      { id: 'i', type: 'text input' },
    ],
    x,
  }
  const settings = { general: { sessionTtl: 'PT30M' } }
  const definition = flow([idle('PT1M'), expire], { groups, settings })
  const { world, after } = await beginPreview({ definition, body: { record: true } })
  expect(await after('PT1H')).toHaveLength(3)
  const file = await world.chat.recording({ sessionId: 'session-1', caller: anonymous })
  expect(file.turns.map(({ entry }) => entry)).toEqual(['start', 'timer', 'timer', 'timer'])
  const read = checkRecording(JSON.parse(JSON.stringify(file)))
  const programs = compileRecorded(read, { registry: blockRegistry })
  expect(await replayRecording(read, { programs })).toMatchObject({ turns: file.turns })
})

const jump = { id: 'j', type: 'Jump', options: { groupId: 'a' } }
const paused = { id: 'h', type: 'Handoff', options: { deadline: 'PT0S' } }

it.each([
  ['pauses that are over at once', [paused, jump], []],
  ['questions that each ask the next', [{ id: 'i', type: 'text input' }], [idle('PT0S', { atMost: 100 })]],
  [
    'pauses behind questions',
    [{ id: 'i', type: 'text input' }],
    [{ ...idle('PT0S', { atMost: 2 }), outgoingEdgeId: 'eP' }],
  ],
])('takes turns by itself at its leisure once it has taken many: %s', async (_, a, events) => {
  const definition = flow(events, { groups: { a, p: [paused, jump] } })
  const { world, after, continue: say } = await beginPublished({ definition })
  expect(await after('PT55S')).toHaveLength(20)
  expect(await after('PT1M')).toHaveLength(1)
  expect(await after('PT1H')).toHaveLength(60)
  expect(await seen(world)).toMatchObject({ actsAfterSeconds: expect.any(Number) })
  // Its visitor is answered as ever, and it begins anew.
  await say({ message: 'Ada' }).catch(() => undefined)
  expect((await after('PT55S')).length).toBeLessThan(22)
})

it('lets waits of the usual length follow each other as often as they like', async () => {
  const wait = { id: 'w', type: 'Wait', options: { secondsToWaitFor: 120 } }
  const { after } = await beginPublished({ definition: flow([], { groups: { a: [wait, jump] } }) })
  expect(await after('PT2H')).toHaveLength(60)
})
