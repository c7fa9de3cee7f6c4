import { describe, expect, it } from 'vitest'
import { sessionHash } from '../../../src/lib/session-hash.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import type { TurnSummary } from '../../../src/ports/request-log-port.ts'
import { bubble, flowLink, textInput, variable } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { createTestChat, type TestChat } from '../../support/start.ts'

const unknown = (id: string) => ({ id, type: 'hologram' })

const jumpAway = (id: string) => ({ id, type: 'Jump', options: { groupId: 'hush-gone' } })

/** Asks, and then fails with what was said at hand. */
const failing = wholeDefinition({
  publicId: 'shop',
  groups: [{ id: 'g7', title: 'hush-title', blocks: [textInput('b1', 'vName'), jumpAway('b2')] }],
  variables: [variable('Name')],
})

/** A request as the routes pass it on, with the summaries of its turns. */
function logged(requestId: string) {
  const summaries: TurnSummary[] = []
  return { requestLog: { requestId, turnDone: (summary: TurnSummary) => summaries.push(summary) }, summaries }
}

async function continueWith(world: TestChat, message: string, requestId = 'q1') {
  const { requestLog, summaries } = logged(requestId)
  await world.chat.continue({
    caller: anonymous,
    sessionId: 'session-1',
    origin: undefined,
    body: { message },
    requestLog,
  })
  return summaries
}

async function startLogged(world: TestChat, body: Json = {}, requestId = 'q1') {
  const { requestLog, summaries } = logged(requestId)
  await world.chat.startPublished({ publicId: 'shop', origin: undefined, body, requestLog })
  return summaries
}

describe('a block that leaves error logs', () => {
  it('is a warning that names the published flow, the place and the request', async () => {
    const world = createTestChat([failing])
    await startLive(world, {}, { publicId: 'shop' })
    expect(await continueWith(world, 'hush', 'q-2')).toEqual([
      { flow: 'shop', sessionId: 'session-1', blocks: 1, engineMs: 0, hasErrorLogs: true },
    ])
    expect(world.warnings).toEqual([
      {
        flow: 'shop',
        conversation: sessionHash('session-1'),
        requestId: 'q-2',
        flowId: 'flow-1',
        groupId: 'g7',
        blockId: 'b2',
        blockType: 'Jump',
        errors: 1,
      },
    ])
    expect(JSON.stringify(world.warnings)).not.toContain('hush')
  })

  it('is named with its own flow where a link led there', async () => {
    const inner = wholeDefinition({ id: 'inner', groups: [{ id: 'gi', title: '', blocks: [unknown('bi')] }] })
    const outer = wholeDefinition({ publicId: 'shop', blocks: [flowLink('l1', 'inner')] })
    const world = createTestChat([outer, inner])
    await startLogged(world)
    expect(world.warnings).toMatchObject([{ flow: 'shop', flowId: 'inner', groupId: 'gi', blockId: 'bi' }])
  })

  it('is named in a preview as well, by ids of a bounded length', async () => {
    const world = createTestChat()
    await startDraft(world, { flow: wholeDefinition({ blocks: [unknown('x'.repeat(5000))] }) })
    expect(world.warnings).toMatchObject([{ flow: 'preview', blockId: 'x'.repeat(100) }])
  })

  it('is named with each start that begins as one before did', async () => {
    const flow = wholeDefinition({ publicId: 'shop', blocks: [unknown('b1'), bubble('b2', 'Hi')] })
    const world = createTestChat([flow])
    for (const id of ['q1', 'q2']) {
      expect(await startLogged(world, {}, id)).toMatchObject([
        { flow: 'shop', blocks: 2, hasErrorLogs: true },
      ])
    }
    expect(world.warnings).toMatchObject([{ requestId: 'q1' }, { requestId: 'q2' }])
    expect((await world.results.get('flow-1', 'result-2'))?.logs).toMatchObject([{ requestId: 'q2' }])
  })

  it('is named once a turn, and of many ten', async () => {
    const again = { id: 'again', type: 'Jump', options: { groupId: 'gL' } }
    const blocks = [...Array.from({ length: 13 }, (_, index) => unknown(`b${index}`)), again]
    const flow = wholeDefinition({ publicId: 'shop', groups: [{ id: 'gL', title: '', blocks }] })
    const world = createTestChat([flow])
    await startLogged(world)
    const [first] = world.warnings as { errors: number }[]
    expect(first?.errors).toBeGreaterThan(10)
    expect(world.warnings).toHaveLength(11)
    expect(world.warnings.at(-1)).toMatchObject({ flow: 'shop', requestId: 'q1', blocks: 3 })
  })
})

describe('a turn without error logs', () => {
  it('is summarised, and no warning', async () => {
    const flow = wholeDefinition({ publicId: 'shop', blocks: [bubble('b1', 'Hi'), textInput('b2')] })
    const world = createTestChat([flow])
    expect(await startLogged(world)).toEqual([
      { flow: 'shop', sessionId: 'session-1', blocks: 2, engineMs: 0, hasErrorLogs: false },
    ])
    expect(world.warnings).toEqual([])
  })
})

describe('logs of a flow in its result', () => {
  it('name their place, their time and their request', async () => {
    const world = createTestChat([failing])
    await startLive(world, {}, { publicId: 'shop' })
    await continueWith(world, 'Ada', 'q-3')
    const result = await world.results.get('flow-1', 'result-1')
    expect(result?.logs).toMatchObject([
      { status: 'error', flowId: 'flow-1', groupId: 'g7', blockId: 'b2', time: fixedNow, requestId: 'q-3' },
    ])
    expect(result?.logs[0]).not.toHaveProperty('blockType')
  })

  it('never name it in a response', async () => {
    const flow = wholeDefinition({ blocks: [unknown('b1')] })
    for (const response of [
      await startLive(createTestChat([flow])),
      await startDraft(createTestChat(), { flow }),
    ]) {
      const [log] = response['logs'] as Json[]
      expect(Object.keys(log ?? {}).sort()).toEqual(['description', 'details', 'status'])
    }
  })
})
