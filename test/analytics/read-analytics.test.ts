import { expect, it } from 'vitest'
import { createAnalytics } from '../../src/analytics/read-analytics.ts'
import { updateFlow } from '../../src/conversations/continue/update-flow.ts'
import { fireTimer } from '../../src/conversations/timers/fire-timer.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { createTestChat, type TestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

const asking = wholeDefinition({
  id: 'f1',
  variables: ['Name', 'utm_source'],
  blocks: [
    { id: 'name', type: 'text input', options: { variableId: 'vName' } },
    { id: 'fail', type: 'Redirect', options: {} },
    { id: 'mail', type: 'email input' },
  ],
})

function open(definitions: readonly Json[] = [asking], more: object = {}) {
  const clock = fixedPorts()
  let ms = clock.now()
  const ports = { ...clock, now: () => ms }
  const world = createTestChat(definitions, { ports, ...more })
  const flow = definitions[0]?.['id'] as string
  return {
    world,
    pass: (seconds: number) => {
      ms += seconds * 1000
    },
    async begin(body: Json = {}) {
      const answer = await world.chat.startPublished({ publicId: flow, origin: undefined, body })
      return parseWire(answer)['sessionId'] as string
    },
    say: (sessionId: string, message: string) =>
      world.chat.continue({ sessionId, origin: undefined, caller: { kind: 'anonymous' }, body: { message } }),
    read: (asked: object = {}) => createAnalytics(world).read({ publicId: flow, ...asked }),
  }
}

it('tells where conversations stand, how long answers took, and who has gone', async () => {
  const { begin, say, pass, read, world } = open()
  const [first, second] = [await begin(), await begin()]
  await begin()
  pass(60)
  await say(first, 'Ada')
  await say(second, 'Zoë')
  await say(second, 'none')
  pass(10)
  await say(first, 'ada@shop.example')
  const { blocks, ...facts } = await read()
  expect(facts).toMatchObject({
    conversations: 3,
    started: 2,
    completed: 1,
    handedOver: 0,
    medianSeconds: 90.5,
  })
  const silent = { ended: 0, expired: 0, handedOver: 0, errors: 0 }
  expect(blocks).toMatchObject([
    {
      blockId: 'name',
      shown: 3,
      asked: 3,
      answered: 2,
      refused: 0,
      waiting: 1,
      left: 0,
      medianSeconds: 64,
      ...silent,
    },
    { blockId: 'fail', shown: 2, asked: 0 },
    {
      blockId: 'mail',
      shown: 2,
      asked: 2,
      answered: 1,
      refused: 1,
      waiting: 1,
      left: 1,
      ended: 1,
      medianSeconds: 11.3,
    },
  ])
  pass(world.sessionTtlMs / 1000 + 7200)
  expect((await read()).blocks).toMatchObject([
    { blockId: 'name', waiting: 0, left: 1, ended: 0 },
    { blockId: 'fail' },
    { blockId: 'mail', waiting: 0, left: 2, ended: 1 },
  ])
})

it('counts an expiry where the conversation waited', async () => {
  const { begin, pass, read, world } = open([
    wholeDefinition({
      id: 'f1',
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
        { id: 'expire', type: 'expire', outgoingEdgeId: 'eX' },
      ],
      groups: { a: [{ id: 'name', type: 'text input' }], x: [{ id: 'x', text: 'Goodbye.' }] },
      edges: { eX: 'x' },
      settings: { general: { sessionTtl: 'PT1H' } },
    }),
  ])
  await begin()
  pass(3601)
  for (const due of await world.conversations.due(10)) await fireTimer(due, world)
  const { blocks } = await read()
  expect(blocks).toMatchObject([
    { blockId: 'name', waiting: 0, left: 1, ended: 0, expired: 1 },
    { blockId: 'x', shown: 1, left: 0 },
  ])
})

it('sets cohorts against each other, and shows no difference where there is none', async () => {
  const { begin, say, read } = open()
  const arrive = async (source: string | undefined, isAnswering: boolean) => {
    const session = await begin(source === undefined ? {} : { prefilledVariables: { utm_source: source } })
    if (isAnswering) await say(session, 'Ada')
  }
  for (let nth = 0; nth < 40; nth++) {
    await arrive('mail', nth < 30)
    await arrive('ads', nth < 10)
  }
  await arrive('ada@shop.example', true)
  const { cohorts = [] } = await read({ by: 'utm_source' })
  expect(cohorts.map(({ value, conversations }) => [value, conversations])).toEqual([
    ['mail', 40],
    ['ads', 40],
    ['other', 1],
  ])
  expect(cohorts[0]?.started).toEqual({
    count: 30,
    share: 0.75,
    low: 0.598,
    high: 0.8581,
    difference: 'higher',
  })
  expect(cohorts.map(({ started }) => started.difference)).toEqual(['higher', 'lower', 'none shown'])
  expect(cohorts.map(({ completed }) => completed.difference)).toEqual([
    'none shown',
    'none shown',
    'none shown',
  ])
  const { cohorts: all } = await read({ by: 'locale' })
  expect(all).toMatchObject([{ conversations: 81 }])
  expect(all?.[0]).not.toHaveProperty('value')
})

it('compares the ways of an AB test, as they were drawn', async () => {
  const { begin, read } = open([
    wholeDefinition({
      id: 'f1',
      groups: {
        a: [
          {
            id: 'draw',
            type: 'AB test',
            items: [
              { id: 'A', outgoingEdgeId: 'eA' },
              { id: 'B', outgoingEdgeId: 'eB' },
            ],
          },
        ],
        x: [{ id: 'x', type: 'text input' }],
      },
      edges: { eA: 'x', eB: 'x' },
    }),
  ])
  for (let nth = 0; nth < 3; nth++) await begin()
  const { cohorts, items } = await read({ by: 'ab:draw' })
  expect(cohorts?.reduce((sum, { conversations }) => sum + conversations, 0)).toBe(3)
  expect(cohorts?.map(({ value }) => value)).toEqual(items.map(({ itemId }) => itemId))
})

it('takes a conversation along to another version', async () => {
  const before = asking
  const after = wholeDefinition({
    id: 'f1',
    variables: ['Name', 'utm_source'],
    blocks: [
      { id: 'new', text: 'New' },
      { id: 'mail', type: 'email input' },
      { id: 'name', type: 'text input', options: { variableId: 'vName' } },
    ],
  })
  const world = createTestChat([before])
  const next = { ...world, published: createTestChat([after]).published }
  const start = await world.chat.startPublished({ publicId: 'f1', origin: undefined, body: {} })
  const sessionId = parseWire(start)['sessionId'] as string
  await updateFlow({ sessionId }, next)
  const { versions, blocks, funnel } = await createAnalytics(next).read({
    publicId: 'f1',
    funnel: ['name', 'mail'],
  })
  const moved = await next.results.get('f1', parseWire(start)['resultId'] as string)
  expect(moved?.visit).toMatchObject({ version: versions[0]?.hash, place: 'name' })
  expect(versions).toHaveLength(1)
  expect(blocks).toMatchObject([{ blockId: 'name', shown: 1, asked: 1, waiting: 1 }])
  expect(funnel).toEqual([
    { blockId: 'name', conversations: 1 },
    { blockId: 'mail', conversations: 0 },
  ])
})

it('says how far it has counted where more is left than a reader waits for', async () => {
  const { begin, world } = open()
  await begin()
  let steps = 0
  const fold = async () => {
    steps += 1
    return true
  }
  const pendingSince = async () => Date.UTC(2026, 10, 21, 7) / 3_600_000
  const counts: TestChat['counts'] = { ...world.counts, fold, pendingSince }
  const analytics = await createAnalytics({ ...world, counts }).read({ publicId: 'f1' })
  expect([steps, analytics.countedUntil]).toEqual([50, '2026-11-21T07:00:00.000Z'])
  expect(await createAnalytics(world).read({ publicId: 'f1' })).not.toHaveProperty('countedUntil')
})

it('takes a version by its number, and refuses one that there is not', async () => {
  const { begin, world } = open()
  await begin()
  const { versions } = await createAnalytics(world).read({ publicId: 'f1' })
  const hash = versions[0]?.hash ?? ''
  const published = { version: 3, hash, publishedAt: 0, publishedBy: 'ann' }
  const flowTable = { ...world.flowTable, versions: async () => [published] }
  const analytics = createAnalytics({ ...world, flowTable })
  expect(await analytics.read({ publicId: 'f1', version: '3' })).toMatchObject({ conversations: 1 })
  await expect(analytics.read({ publicId: 'f1', version: '2' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    problems: [{ pointer: '/version' }],
  })
})

it('refuses a funnel through a block that the flow never had, by the name that was probably meant', async () => {
  const { begin, read, world } = open()
  await begin()
  await expect(read({ funnel: ['name', 'mial', 'elsewhere'] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    problems: [
      { pointer: '/funnel', message: 'block 2, "mial", is in no version of this flow; did you mean "mail"?' },
      { pointer: '/funnel', message: 'block 3, "elsewhere", is in no version of this flow' },
    ],
  })
  const blocks = [{ id: 'phone', type: 'text input' }]
  const { published } = createTestChat([wholeDefinition({ id: 'f1', blocks })])
  const later = createAnalytics({ ...world, published })
  const { funnel } = await later.read({ publicId: 'f1', funnel: ['name', 'phone'] })
  expect(funnel).toEqual([
    { blockId: 'name', conversations: 1 },
    { blockId: 'phone', conversations: 0 },
  ])
})

it('takes any block of a version that has more than paths tell of', async () => {
  const { begin, read, world } = open()
  await begin()
  const places = Array.from({ length: 4096 }, (_, index) => `b${index}`)
  await world.counts.describe('f1', { version: 'large', places })
  const { funnel } = await read({ funnel: ['b9000'] })
  expect(funnel).toEqual([{ blockId: 'b9000', conversations: 0 }])
})

it('counts nothing where no results are read', async () => {
  const { begin, read } = open([asking], { areResultsRead: false })
  await begin()
  expect(await read()).toMatchObject({ conversations: 0, blocks: [] })
})

it('knows no flow that is neither published nor counted', async () => {
  await expect(createAnalytics(open().world).read({ publicId: 'nowhere' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
