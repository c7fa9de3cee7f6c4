import { expect, it } from 'vitest'
import type { Analytics } from '../../schemas/analytics.ts'
import { createAnalytics } from '../../src/analytics/read-analytics.ts'
import type { ResultSelection } from '../../src/results/result-selection.ts'
import { filterOf } from '../../src/results/select-results.ts'
import { countedFlow, drawsOf, funnels, recount, replyTo, talliesOf } from '../support/counted-flow.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { createTestChat, type TestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

/** 10,000 where `npm run test:soak` runs it. */
const visitors = Number(process.env['VISITORS'] ?? 1000)

it('counts what transcripts tell, to the last one', async () => {
  const draw = drawsOf(7)
  const ports = { ...fixedPorts(), random: draw }
  const world = createTestChat([countedFlow], { ports })
  const resultIds: string[] = []
  for (let visitor = 0; visitor < visitors; visitor++) {
    const start = parseWire(
      await world.chat.startPublished({ publicId: 'counted', origin: undefined, body: {} }),
    )
    resultIds.push(start['resultId'] as string)
    const sessionId = start['sessionId'] as string
    for (let answer = start; ; ) {
      const question = lastText(answer)
      const message = question === undefined ? undefined : replyTo(question, draw)
      if (message === undefined) break
      const said = await world.chat.continue({
        sessionId,
        origin: undefined,
        caller: { kind: 'anonymous' },
        body: { message },
      })
      answer = { ...parseWire(said), asked: question }
    }
  }
  const transcripts = await Promise.all(
    resultIds.map(async (id) => (await world.results.get('counted', id))?.transcript ?? []),
  )
  const analytics = await Promise.all(
    funnels.map((funnel) => createAnalytics(world).read({ publicId: 'counted', funnel })),
  )
  const recounted = recount(transcripts)
  expect(recounted['conversations']).toBe(visitors)
  expect(recounted['refused mail']).toBeGreaterThan(visitors / 50)
  expect(recounted['handedOver']).toBeGreaterThan(visitors / 50)
  expect(recounted['errors fail']).toBeGreaterThan(visitors / 50)
  const all = { flowId: 'counted', from: 0, until: Infinity, after: undefined, limit: Infinity }
  const rows = (await world.counts.page(all)).map(({ name, ...row }) => ({
    ...row,
    blockId: name.split('\n')[0] as string,
  }))
  expect(talliesOf(analytics, rows)).toEqual(recounted)
  expect(await countedByResults(world, analytics[0] as Analytics)).toBe(12)
})

/**
 * Expects results to be found as they are counted: by funnels through any blocks, and by the blocks where they stand. Returns
 * how many blocks were compared.
 */
async function countedByResults(world: TestChat, { blocks, started, completed }: Analytics): Promise<number> {
  const flow = { publicId: 'counted', flowId: 'counted', program: undefined }
  const found = async (selection: ResultSelection) => {
    const filter = await filterOf(selection, flow, world)
    let count = 0
    for (let cursor: string | undefined; ; ) {
      const page = await world.results.listNames('counted', { cursor, filter })
      count += page.names.length
      cursor = page.nextCursor
      if (cursor === undefined) return count
    }
  }
  const draw = drawsOf(3)
  const ids = blocks.map(({ blockId }) => blockId)
  for (let nth = 0; nth < 5; nth++) {
    const visited = ids.filter(() => draw() < 0.25)
    const { funnel } = await createAnalytics(world).read({ publicId: 'counted', funnel: visited })
    for (const [index, { conversations }] of (funnel ?? []).entries())
      expect(await found({ visited: visited.slice(0, index + 1) })).toBe(conversations)
  }
  for (const { blockId, left, waiting } of blocks) {
    expect(await found({ leftAt: blockId })).toBe(left)
    expect(await found({ waitingAt: blockId })).toBe(waiting)
  }
  expect(await found({ started: true })).toBe(started)
  expect(await found({ completed: true })).toBe(completed)
  expect(await found({ started: true, completed: false })).toBe(started - completed)
  return blocks.length
}

/** The question that is open: that of the last bubble, or the one before where a reply was refused. */
function lastText(answer: Json): string | undefined {
  const messages = answer['messages'] as { content: { richText?: unknown; markdown?: string } }[]
  if (answer['input'] === undefined) return undefined
  const texts = messages.map(({ content }) => JSON.stringify(content).match(/(?:"text":")([^"]*)/)?.[1] ?? '')
  return texts.findLast((text) => text.endsWith('?')) ?? (answer['asked'] as string | undefined)
}
