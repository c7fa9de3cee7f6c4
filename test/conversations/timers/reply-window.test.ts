import { expect, it, onTestFinished, vi } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { fireTimer } from '../../../src/conversations/timers/fire-timer.ts'
import { TimerRunner } from '../../../src/conversations/timers/timer-runner.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { checkRecording, compileRecorded } from '../../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../../src/tooling/replay/replay-recording.ts'
import { serveChat } from '../../fixtures/served-chat.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { FixedPorts } from '../../support/fixed-ports.ts'
import { defaultLimits } from '../../support/limits.ts'
import { beginPreview, beginPublished, sessionOf, type TestChat } from '../../support/start.ts'

const joining = wholeDefinition({
  variables: ['Name'],
  settings: { general: { replyWindow: 'PT2S' } },
  blocks: [
    { id: 'i', type: 'text input', options: { variableId: 'vName' } },
    { id: 't', text: 'Hi {{Name}}' },
    { id: 'r', type: 'Redirect', options: { url: 'https://shop.example', isNewTab: false } },
    { id: 'j', type: 'text input' },
  ],
})
const joinsUntil = '2026-11-21T09:17:03.712Z'

async function closeWindow(world: TestChat): Promise<void> {
  ;(world.ports as FixedPorts).advance(2000)
  for (const due of await world.conversations.due(5)) await fireTimer(due, world)
}

it('answers a repeated request as the first, and joins what it said once', async () => {
  const { start, goOn, look, chat } = await serveChat([joining])
  await start()
  const repeated = { 'idempotency-key': 'a-key-that-is-long-enough-1' }
  const [first, again] = [await goOn('I am', repeated), await goOn('I am', repeated)]
  expect(first.json()).toMatchObject({ messages: [], input: { id: 'i' }, actsAfterSeconds: 2, joinsUntil })
  expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true'])
  await goOn('Ada')
  expect((await look()).json()).toMatchObject({ waitingFor: 'input', input: { id: 'i' }, joinsUntil })
  await closeWindow(chat)
  const { messages, ...seen } = (await look()).json()
  expect(messages).toMatchObject([{ id: 't' }])
  expect(JSON.stringify(messages)).toContain('I am\\nAda')
  expect(seen).toMatchObject({ input: { id: 'j' } })
  expect(seen).not.toHaveProperty('joinsUntil')
})

it('has a version for each acknowledgement, so that a stale reply is none to the next question', async () => {
  const { start, goOn, chat } = await serveChat([joining])
  const ifMatch = ({ headers }: { headers: object }) => ({
    'if-match': String((headers as Record<string, unknown>)['etag']),
  })
  const started = await start()
  const first = await goOn('I am', ifMatch(started))
  expect((await goOn('late', ifMatch(started))).statusCode).toBe(412)
  const second = await goOn('Ada', ifMatch(first))
  expect(second.statusCode).toBe(200)
  await closeWindow(chat)
  const refused = await goOn('!', ifMatch(second))
  expect([refused.statusCode, refused.json().input.id]).toEqual([412, 'j'])
})

it('refuses what would be longer than a reply, with what was said before it, and leaves the window open', async () => {
  const limits = { ...defaultLimits, replyLength: 10 }
  const { world, continue: say } = await beginPublished({ definition: joining, chat: { limits } })
  await say({ message: '12345' })
  await expect(say({ message: '67890' })).rejects.toThrow('The message is too long')
  await say({ message: '6789' })
  await closeWindow(world)
  expect(await world.results.get('flow-1', 'result-1')).toMatchObject({
    answers: [{ content: '12345\n6789' }],
  })
})

it('tells the events of the session what is shown and done, and shows it once more with each look', async () => {
  const { world, continue: say } = await beginPublished({ definition: joining })
  await say({ message: 'Ada' })
  const events: { type: string; data?: string }[] = []
  const named = { sessionId: 'session-1', caller: anonymous, origin: undefined, address: 'a' }
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const follow = await world.chat.follow({ ...named, signal: ended.signal })
  follow({ receive: (event) => events.push(event), end: () => undefined, fail: () => undefined })
  await closeWindow(world)
  await expect.poll(() => events.length).toBe(2)
  expect(events.map(({ type }) => type)).toEqual(['messages', 'updated'])
  expect(JSON.parse(String(events[0]?.data))).toMatchObject({
    messages: [{ id: 't' }],
    clientSideActions: [{ type: 'redirect', lastBubbleBlockId: 't' }],
  })
})

it('is closed when it is over, and not at the next look at what is due, also while the process drains', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { world, continue: say } = await beginPublished({ definition: joining })
  const timers = new TimerRunner(world)
  const pass = async (ms: number) => {
    ;(world.ports as FixedPorts).advance(ms)
    await vi.advanceTimersByTimeAsync(ms)
  }
  const waitsAt = async () => (await sessionOf(world, 'session-1'))?.waitingBlock?.blockId
  await pass(500)
  await say({ message: 'I am' })
  await pass(700)
  await say({ message: 'Ada' })
  timers.drain()
  await pass(1299)
  expect(await waitsAt()).toBe('i')
  await pass(1)
  await expect.poll(waitsAt).toBe('j')
  expect(world.warnings).toEqual([])
  await timers.end()
  await say({ message: 'Bye' })
  await pass(60_000)
  expect(await waitsAt()).toBe('j')
})

it('speaks the language that is asked for meanwhile, and keeps what was said', async () => {
  const definition = {
    ...joining,
    localizations: { de: { 'a.t': 'x' } },
    settings: { general: { replyWindow: 'PT2S', language: 'en' } },
  }
  const { world, continue: say } = await beginPublished({ definition })
  await say({ message: 'Ada' })
  expect(await say({ locale: 'de' })).toMatchObject({ input: { id: 'i' }, joinsUntil })
  await closeWindow(world)
  expect(await sessionOf(world, 'session-1')).toMatchObject({ locale: 'de', waitingBlock: { blockId: 'j' } })
})

it('is traced, recorded and replayed turn by turn', async () => {
  const body = { record: true, trace: true }
  const { world, continue: say, after } = await beginPreview({ definition: joining, body })
  await say({ message: 'I am' })
  await say({ message: 'Ada' })
  await after('PT2S')
  const named = { sessionId: 'session-1', caller: anonymous, origin: undefined }
  const { trace } = (await sessionOf(world, 'session-1')) ?? {}
  expect(trace?.kept.map(({ entry, steps }) => [entry, steps.length])).toEqual([
    ['start', 1],
    ['continue', 0],
    ['continue', 0],
    ['timer', 4],
  ])
  const file = await world.chat.recording(named)
  const read = checkRecording(JSON.parse(JSON.stringify(file)))
  const programs = compileRecorded(read, { registry: blockRegistry })
  expect(await replayRecording(read, { programs })).toMatchObject({ turns: file.turns })
})
