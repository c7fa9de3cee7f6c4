import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { anonymous } from '../../src/ports/caller.ts'
import { arbitraryFlow, arbitraryInput, bodyOf } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'
import { expectValid } from '../support/response-validators.ts'
import { beginPreview, beginPublished, createTestChat, type Started } from '../support/start.ts'
import { type Walked, walkFlow } from '../support/walk-flow.ts'

const arbitraryInputs = fc.array(arbitraryInput, { maxLength: 6 })
const markdown = { textBubbleContentFormat: 'markdown' }

/** Of two blocks of one id in one group, and of two groups of one id, the first is found: no more is asked for. */
function withOwnIds(definition: Json): Json {
  const groupIds = new Set<unknown>()
  const groups = (definition['groups'] as { id: string; blocks: Json[] }[]).map((group, at) => {
    const isTaken = groupIds.has(group.id)
    groupIds.add(group.id)
    const blockIds = new Set<unknown>()
    const blocks = group.blocks.map((block, index) => {
      const isSecond = blockIds.has(block['id'])
      blockIds.add(block['id'])
      return isSecond ? { ...block, id: `own-${at}-${index}` } : block
    })
    return { ...group, id: isTaken ? `own-${at}` : group.id, blocks }
  })
  return { ...definition, groups }
}

/** What a turn in memory put out, as a response tells it. */
function toldBy({ output }: Walked): Json {
  const { messages, input, actions, lastMessageNewFormat } = output
  return JSON.parse(
    JSON.stringify({
      messages: messages.map(({ value }) => value),
      input: input?.value,
      clientSideActions: actions.length > 0 ? actions.map(({ value }) => value) : undefined,
      lastMessageNewFormat,
    }),
  )
}

const compared = ({ messages, input, clientSideActions, lastMessageNewFormat }: Json): Json =>
  JSON.parse(JSON.stringify({ messages, input, clientSideActions, lastMessageNewFormat }))

const isOver = ({ conversation }: Walked) => conversation.waitingBlock === undefined

describe('any conversation', () => {
  it('goes on from what is stored as it would have from memory', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFlow, arbitraryFlow, arbitraryInputs, async (flow, another, inputs) => {
        const definition = withOwnIds(flow as Json)
        const other = withOwnIds({ ...(another as Json), id: 'other' })
        const session = await beginPublished({ definition, linked: [other], body: markdown })
        const begin = () => walkFlow(definition, { linked: [definition, other] })
        let walked = begin()
        const taken: (typeof inputs)[number][] = []
        for (const input of inputs) {
          if (isOver(walked)) break
          const inMemory = attempt(() => walked.reply(input))
          const stored = await session.continue({ ...bodyOf(input), ...markdown }).catch(refusal)
          if (typeof inMemory === 'string') {
            expect(stored).toBe(inMemory)
            // What is refused changes nothing of what is stored.
            walked = taken.reduce((replayed, earlier) => replayed.reply(earlier), begin())
            continue
          }
          taken.push(input)
          walked = inMemory
          expect(compared(stored as Json)).toEqual(toldBy(walked))
        }
        if (isOver(walked)) expect(await session.continue().catch(refusal)).toBe('Session not found.')
      }),
      { numRuns: 80 },
    )
  })

  it('answers every message as documented, or refuses it and waits on', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFlow, arbitraryInputs, async (definition, inputs) => {
        const session = await beginPreview({ definition: definition as Json })
        for (const input of inputs) {
          const answer = await session.continue(bodyOf(input)).catch(refusal)
          if (typeof answer !== 'string') expectValid('continue', answer)
        }
        expect(session.world.reports).toEqual([])
      }),
      { numRuns: 80 },
    )
  })

  it('is the same whenever nothing differs', async () => {
    const playAll = async (session: Started, inputs: readonly unknown[]) => {
      const answers: unknown[] = [session.response]
      for (const input of inputs) answers.push(await session.continue(bodyOf(input)).catch(refusal))
      return answers
    }
    await fc.assert(
      fc.asyncProperty(arbitraryFlow, arbitraryInputs, async (flow, inputs) => {
        const definition = flow as Json
        const first = await playAll(await beginPublished({ definition }), inputs)
        expect(await playAll(await beginPublished({ definition }), inputs)).toEqual(first)
      }),
      { numRuns: 30 },
    )
  })
})

describe('any session id', () => {
  it('that was given to no visitor is not found', async () => {
    const { chat } = createTestChat()
    await fc.assert(
      fc.asyncProperty(fc.string(), async (sessionId) => {
        const body: ContinueChatBody = { message: 'x' }
        expect(
          await chat.continue({ caller: anonymous, sessionId, origin: undefined, body }).catch(refusal),
        ).toBe('Session not found.')
      }),
    )
  })
})

function attempt(turn: () => Walked): Walked | string {
  try {
    return turn()
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): string {
  if (error instanceof ServiceError && ['BAD_REQUEST', 'NOT_FOUND'].includes(error.code)) return error.message
  throw error
}
