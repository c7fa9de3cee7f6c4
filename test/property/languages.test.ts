import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { TurnTrace } from '../../schemas/trace.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { arbitraryFlow, arbitraryInput, bodyOf, translated } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'
import { defaultLimits } from '../support/limits.ts'
import { nowhere } from '../support/nowhere.ts'
import { previewRequest, trusted } from '../support/preview-request.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

type Ask = 'nothing' | 'a language' | 'another language before each answer'

/** Which way a turn went: how many blocks ran, and the way of each that its trace has. */
type Way = { blocks: number; steps: unknown[]; isCut: boolean } | { refused: string }

/** Plays a flow in a language; the way of each turn, and all that was said. */
async function play(definition: Json, inputs: readonly unknown[], ask: Ask) {
  const ran: number[] = []
  const { chat, reports } = createTestChat([], {
    random: [0.1, 0.9, 0.5],
    limits: { ...defaultLimits, blocksPerTurn: 40 },
    metrics: { ...nowhere.metrics, turnDone: ({ blocks }) => void ran.push(blocks) },
  })
  const turns: Way[] = []
  let said = ''
  const take = async (asked: ReturnType<typeof chat.continue>, isCounted = true) => {
    try {
      const { trace, ...answer } = parseWire(await asked) as { trace: TurnTrace }
      said += JSON.stringify(answer)
      const steps = trace.steps.map(({ block, reply, went }) => [block.blockId, reply?.outcome, went])
      if (isCounted) turns.push({ blocks: ran.at(-1) ?? 0, steps, isCut: trace.isCut === true })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (isCounted) turns.push({ refused: error.code })
    }
  }
  const locale = ask === 'nothing' ? undefined : 'fr-CA'
  const body = { flow: definition, trace: true, ...(locale !== undefined && { locale }) }
  await take(chat.startPreview(previewRequest(body, trusted)))
  const goOn = (next: ContinueChatBody) =>
    chat.continue({ sessionId: 'session-1', origin: undefined, caller: trusted, body: next })
  for (const [nth, input] of inputs.entries()) {
    if (ask === 'another language before each answer')
      await take(goOn({ locale: nth % 2 === 0 ? 'en' : 'fr' }), false)
    await take(goOn(bodyOf(input) as ContinueChatBody))
  }
  expect(reports).toEqual([])
  return { turns, said }
}

/**
 * Expects the same turns. A trace holds so many characters, and of longer texts fewer steps: two are compared as far as both
 * go.
 */
function expectSameWays(turns: readonly Way[], others: readonly Way[]): void {
  const comparable = (way: Way, other: Way | undefined) =>
    'steps' in way && other && 'steps' in other && (way.isCut || other.isCut)
      ? { blocks: way.blocks, steps: way.steps.slice(0, other.steps.length) }
      : way
  expect(turns.map((way, nth) => comparable(way, others[nth]))).toEqual(
    others.map((way, nth) => comparable(way, turns[nth])),
  )
}

it('leads along the same ways in every language, also where it changes on the way', async () => {
  let different = 0
  await fc.assert(
    fc.asyncProperty(arbitraryFlow, fc.array(arbitraryInput, { maxLength: 5 }), async (flow, inputs) => {
      const { settings, ...rest } = flow as Json & { settings: Json }
      const general = { ...(settings['general'] as Json), language: 'en' }
      const plain = { ...rest, settings: { ...settings, general } }
      const definition = translated(plain)
      const own = await play(plain, inputs, 'nothing')
      const french = await play(definition, inputs, 'a language')
      expectSameWays(french.turns, own.turns)
      const mixed = await play(definition, inputs, 'another language before each answer')
      expectSameWays(mixed.turns, own.turns)
      // Asking for nothing is the same, byte by byte, whatever languages there are.
      expect(await play(definition, inputs, 'nothing')).toEqual(own)
      if (french.said !== own.said) different += 1
    }),
    { numRuns: 50 },
  )
  expect(different).toBeGreaterThan(10)
})
