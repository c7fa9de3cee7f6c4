import { describe, expect, it } from 'vitest'
import { type AnonymousPreviewLimits, minLimits } from '../../../src/config/fixed-limits.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import type { CodeTerms } from '../../../src/ports/code-sandbox-port.ts'
import { bubble, endlessFlow, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedPorts } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { nowhere } from '../../support/nowhere.ts'
import { trusted } from '../../support/preview-request.ts'
import { createTestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

const enough: AnonymousPreviewLimits = {
  blocksPerTurn: 1_000_000,
  turnMs: 1_000_000,
  blockMs: 1_000_000,
  wholeTurnMs: 1_000_000,
  callsPerTurn: 1_000_000,
  codeMs: 1_000_000,
  codeTurnMs: 1_000_000,
}

const published = { id: 'flow-1', publicId: 'flow-1' }

const code = (id: string) =>
  setVariable(id, 'vA', { expressionToEvaluate: 'let sum = 0; for (;;) sum += 1; return sum' })

const request = (id: string) => ({
  id,
  type: 'Webhook',
  options: { webhook: { url: 'https://a.example/' }, isCustomBody: false },
})

/** What stops each turn, and as what. */
const stops: [name: string, own: Partial<AnonymousPreviewLimits>, flow: Json, log: Json][] = [
  [
    'blocks',
    { blocksPerTurn: 7 },
    { ...endlessFlow },
    {
      description: 'The conversation was stopped: more than 7 blocks in one turn',
      details: expect.stringContaining('group "There" (g2): b2'),
    },
  ],
  [
    'engine time',
    { turnMs: 40 },
    { ...endlessFlow },
    {
      description: 'The conversation was stopped: more than 40 ms of engine time in one turn',
      details: expect.stringContaining('group "Here" (g1): b1'),
    },
  ],
  [
    'time without a break',
    { blockMs: 5 },
    wholeDefinition({
      blocks: [bubble('long', '{{A}}'.repeat(10))],
      variables: [variable('A', { value: 'x'.repeat(50_000) })],
    }),
    {
      description: 'The conversation was stopped: it went on for more than 5 ms without a break',
      details: 'Last blocks: group "Group 1" (g1): long',
    },
  ],
  [
    'calls',
    { callsPerTurn: 1 },
    wholeDefinition({ blocks: [request('first'), request('second')] }),
    {
      description: 'The turn has made all the outgoing calls that it may (1)',
      details: 'Block "second" (Webhook) in group "Group 1" (g1)',
    },
  ],
  [
    'time of all code',
    { codeTurnMs: 150, codeMs: 100 },
    wholeDefinition({ blocks: [code('b1'), code('b2'), code('b3')], variables: [variable('A')] }),
    {
      description: 'Code may run for 150 ms in one turn',
      details: 'Block "b3" (Set variable) in group "Group 1" (g1)',
    },
  ],
  [
    'the whole turn',
    { wholeTurnMs: 30, codeMs: 1 },
    wholeDefinition({ blocks: [code('b1'), code('b2')], variables: [variable('A')] }),
    {
      description: 'The turn has no time left (30 ms)',
      details: 'Block "b2" (Set variable) in group "Group 1" (g1)',
    },
  ],
]

/** A world in which looking at the clock takes ten milliseconds, code runs for as long as it may, and requests fail. */
function createWorld(
  own: Partial<AnonymousPreviewLimits>,
  definitions: readonly Json[] = [],
  given: Partial<ChatDependencies> = {},
) {
  let elapsedMs = 0
  const terms: (CodeTerms | undefined)[] = []
  const ports = { ...fixedPorts(), elapsed: () => (elapsedMs += 10) }
  const world = createTestChat(definitions, {
    ports,
    anonymousPreviews: {
      limits: minLimits(defaultLimits, { ...enough, ...own }),
      ports,
      heavyTurns: nowhere.heavyTurns,
    },
    previewHttp: 'on',
    sandbox: {
      async run(_job, given) {
        terms.push(given)
        return { ok: false, reason: 'limit', message: 'too long', ranMs: given?.limitMs ?? 1 }
      },
      close: async () => undefined,
    },
    ...given,
  })
  return { ...world, terms }
}

describe("a stranger's preview has its own budgets:", () => {
  it.each(stops)('%s', async (_name, own, flow, log) => {
    const { logs } = await startDraft(createWorld(own), { flow })
    expect(logs).toContainEqual(expect.objectContaining(log))
  })

  it.each(stops)('%s, which are not those of a preview with the token', async (_name, own, flow, log) => {
    const world = createWorld(own, [])
    const { logs } = await startDraft(world, { flow }, { caller: trusted })
    expect(logs ?? []).not.toContainEqual(expect.objectContaining(log))
  })

  it.each(stops)('%s, which are not those of a live conversation', async (_name, own, flow, log) => {
    const world = createWorld(own, [{ ...flow, ...published }])
    const { resultId, logs } = await startLive(world)
    const stored = await world.results.get('flow-1', String(resultId))
    for (const told of [logs ?? [], stored?.logs ?? []])
      expect(told).not.toContainEqual(expect.objectContaining(log))
  })

  it('also when it goes on', async () => {
    const blocks = [textInput('said'), ...Array.from({ length: 5 }, (_, nth) => bubble(`b${nth}`))]
    const world = createWorld({ blocksPerTurn: 3 })
    const { sessionId } = await startDraft(world, { flow: wholeDefinition({ blocks }) })
    const body = { message: 'x' }
    const answer = await world.chat.continue({
      caller: anonymous,
      sessionId: String(sessionId),
      origin: undefined,
      body,
    })
    expect(parseWire(answer)['logs']).toMatchObject([
      { description: 'The conversation was stopped: more than 3 blocks in one turn' },
    ])
  })
})

describe('code is run', () => {
  const flow = wholeDefinition({ ...published, blocks: [code('b1')], variables: [variable('A')] })
  const own = { codeMs: 100 }

  it("in the name of the session, and for less time, in a stranger's preview", async () => {
    const { terms, ...world } = createWorld(own)
    await startDraft(world, { flow, sessionId: 'mine' })
    expect(terms).toMatchObject([{ owner: { kind: 'preview', id: 'mine' }, limitMs: 100 }])
  })

  it('in the name of the session in a preview with the token', async () => {
    const { terms, ...world } = createWorld(own, [])
    await startDraft(world, { flow, sessionId: 'mine' }, { caller: trusted })
    expect(terms).toMatchObject([{ owner: { kind: 'preview', id: 'mine' }, limitMs: undefined }])
  })

  it('in the name of the flow that was started in a live conversation', async () => {
    const { terms, ...world } = createWorld(own, [flow])
    await startLive(world)
    await startLive(world)
    const owner = { kind: 'live', id: 'flow-1' }
    expect(terms).toMatchObject([{ owner, limitMs: undefined }, { owner }])
  })
})

describe('the budgets of previews', () => {
  it('are never wider than those of others', () => {
    expect(minLimits(defaultLimits, enough)).toEqual({ ...defaultLimits, codeMs: enough.codeMs })
  })
})

it('A preview begins with its draft when its turn has come', async () => {
  let begin = () => {}
  const turn = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ports = { ...fixedPorts(), firstTurn: () => turn }
  const read: string[] = []
  const world = createTestChat([], {
    anonymousPreviews: { limits: defaultLimits, ports, heavyTurns: nowhere.heavyTurns },
    metrics: { ...nowhere.metrics, draftRead: (outcome) => read.push(outcome) },
  })
  const flow = wholeDefinition({ blocks: [bubble('b1')] })
  const started = startDraft(world, { flow })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(read).toEqual([])
  begin()
  expect(await started).toMatchObject({ messages: [{ id: 'b1' }] })
  expect(read).toEqual(['compiled'])
})
