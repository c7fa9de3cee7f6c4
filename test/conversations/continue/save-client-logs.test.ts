import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { ClientLogsBody } from '../../../schemas/session.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { bubble, flowLink, textInput } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { createTestChat, holdSession, sessionOf, type TestChat } from '../../support/start.ts'

const flow = wholeDefinition({
  blocks: [textInput('i1'), bubble('b1')],
  settings: { security: { allowedOrigins: ['https://shop.example'] } },
})
const log = { status: 'error' as const, description: 'The script could not be run' }

function save(
  { chat }: Pick<TestChat, 'chat'>,
  clientLogs: ClientLogsBody['clientLogs'] = [log],
  { sessionId = 'session-1', ...request }: { sessionId?: string; origin?: string; requestId?: string } = {},
) {
  return chat.saveClientLogs({
    caller: anonymous,
    origin: undefined,
    ...request,
    sessionId,
    body: { clientLogs },
  })
}

async function startOf(definition: Json, body?: Json, linked: Json[] = []): Promise<TestChat> {
  const world = createTestChat([definition, ...linked])
  await startLive(world, body)
  return world
}

const logsOf = async ({ results }: TestChat, flowId = 'flow-1', resultId = 'result-1') =>
  (await results.get(flowId, resultId))?.logs.map(({ time: _, ...log }) => log)

describe('logs of a client', () => {
  it('have room for 16 Ki characters in a result and a minute', async () => {
    const world = await startOf(flow)
    const long = { status: 'error' as const, description: 'x'.repeat(5_000) }
    await save(world, [long, { ...long, details: 'y'.repeat(16_000) }, long, log])
    expect((await logsOf(world))?.map(({ description }) => description.length)).toEqual([
      5_000,
      5_000,
      5_000,
      log.description.length,
    ])
    await expect(save(world, [long])).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('come behind those that are there, in order', async () => {
    const world = await startOf(flow)
    await save(world, [log, { status: 'info', description: 'b', details: 'd', context: 'c' }])
    await save(world, [{ status: 'success', description: 'c' }])
    expect(await logsOf(world)).toEqual([
      log,
      { status: 'info', description: 'b', details: 'd', context: 'c' },
      { status: 'success', description: 'c' },
    ])
  })

  it('report an error unless they say what they are, and are rid of unknown keys', async () => {
    const world = await startOf(flow)
    await save(world, [{ description: 'x', secret: 1 } as ClientLogsBody['clientLogs'][number]])
    expect(await logsOf(world)).toStrictEqual([{ status: 'error', description: 'x' }])
  })

  it('come even after the end, when the last response was what failed', async () => {
    const world = await startOf(flow)
    const body = { message: 'Hi' } as ContinueChatBody
    await world.chat.continue({ caller: anonymous, sessionId: 'session-1', origin: undefined, body })
    await save(world, [log], { origin: 'https://shop.example' })
    expect(await logsOf(world)).toEqual([log])
    const foreign = save(world, [log], { origin: 'https://b.example' })
    await expect(foreign).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('are taken, and not kept, where no operator could read them', async () => {
    const world = createTestChat([flow], { areResultsRead: false })
    await startLive(world)
    await save(world)
    await world.chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: { message: 'Hi' },
    })
    await save(world)
    expect(await logsOf(world)).toBeUndefined()
    await expect(save(world, [log], { sessionId: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('may be none', async () => {
    const world = await startOf(flow)
    await save(world, [])
    expect(await logsOf(world)).toEqual([])
  })

  it('are kept with their time and the request that brought them', async () => {
    const world = await startOf(flow)
    await save(world, [log], { requestId: 'q-7' })
    const result = await world.results.get('flow-1', 'result-1')
    expect(result?.logs).toEqual([{ ...log, time: fixedNow, requestId: 'q-7' }])
  })

  it('are cut as those of the flow are', async () => {
    const world = await startOf(flow)
    await save(world, [{ ...log, details: 'x'.repeat(1000) }])
    expect(await logsOf(world)).toEqual([{ ...log, details: `${'x'.repeat(1000)}...` }])
  })

  it('leave everything else of the result, and the session, as it was', async () => {
    const world = await startOf(flow)
    const [result, session] = [
      await world.results.get('flow-1', 'result-1'),
      await sessionOf(world, 'session-1'),
    ]
    await save(world)
    expect(await world.results.get('flow-1', 'result-1')).toMatchObject({ ...result, logs: [log] })
    expect(await sessionOf(world, 'session-1')).toEqual(session)
  })

  it('wait for no turn of the session', async () => {
    const world = await startOf(flow)
    const release = await holdSession(world, 'session-1')
    await save(world)
    expect(await logsOf(world)).toEqual([log])
    await release()
  })

  it.each([true, false])(
    'go to the flow that was started, inside a link too (merging: %s)',
    async (merges) => {
      const inner = wholeDefinition({ id: 'inner', blocks: [textInput('i1')] })
      const outer = wholeDefinition({ blocks: [flowLink('l1', 'inner', { mergeResults: merges })] })
      const world = await startOf(outer, {}, [inner])
      await save(world)
      expect(await logsOf(world)).toEqual([log])
    },
  )

  it.each([undefined, 'https://shop.example'])('are taken from %s', async (origin) => {
    const world = await startOf(flow)
    await save(world, [log], origin === undefined ? {} : { origin })
    expect(await logsOf(world)).toEqual([log])
  })

  it('are refused from a site that the flow does not allow', async () => {
    const world = await startOf(flow)
    await expect(save(world, [log], { origin: 'https://other.example' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'Origin not allowed',
    })
    expect(await logsOf(world)).toEqual([])
  })
})

describe('logs of a client are not found a place', () => {
  const noSession = { code: 'NOT_FOUND', message: 'Session not found.' }
  const noResult = { code: 'NOT_FOUND', message: 'Result not found.' }

  it('for a session that was never started', async () => {
    await expect(save(createTestChat([flow]))).rejects.toMatchObject(noSession)
  })

  it('for a preview, which has no result', async () => {
    const world = createTestChat()
    await startDraft(world, { flow, sessionId: 'mine' })
    await expect(save(world, [log], { sessionId: 'mine' })).rejects.toMatchObject(noResult)
  })

  it('for a session that is only registered, whose result is yet to be made', async () => {
    const world = await startOf(flow, { isOnlyRegistering: true })
    await expect(save(world)).rejects.toMatchObject(noResult)
    expect(await logsOf(world)).toBeUndefined()
  })

  it('for a result that was erased', async () => {
    const world = await startOf(flow)
    await world.results.delete('flow-1', ['result-1'])
    await expect(save(world)).rejects.toMatchObject(noResult)
    expect(await logsOf(world)).toBeUndefined()
  })
})
