import { expect, it } from 'vitest'
import { createAnalytics } from '../../src/analytics/read-analytics.ts'
import { countedFlow, drawsOf, funnels, recount, replyTo, talliesOf } from '../support/counted-flow.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { createTestChat } from '../support/start.ts'
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
  expect(talliesOf(analytics)).toEqual(recounted)
})

/** The question that is open: that of the last bubble, or the one before where a reply was refused. */
function lastText(answer: Json): string | undefined {
  const messages = answer['messages'] as { content: { richText?: unknown; markdown?: string } }[]
  if (answer['input'] === undefined) return undefined
  const texts = messages.map(({ content }) => JSON.stringify(content).match(/(?:"text":")([^"]*)/)?.[1] ?? '')
  return texts.findLast((text) => text.endsWith('?')) ?? (answer['asked'] as string | undefined)
}
