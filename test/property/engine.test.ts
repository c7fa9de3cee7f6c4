import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeProgress } from '../../src/engine/turn/progress.ts'
import type { ServiceError } from '../../src/lib/errors.ts'
import { arbitraryFlow, arbitraryInput } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'
import { type Walked, walkFlow } from '../support/walk-flow.ts'

const limits = { blocksPerTurn: 40, messagesPerTurn: 12, linkDepth: 3, returnMarks: 4 }

/** A conversation as it comes: what was linked and said, and how chance and the clock behave. */
const arbitraryConversation = fc.record({
  definition: arbitraryFlow as fc.Arbitrary<Json>,
  other: arbitraryFlow as fc.Arbitrary<Json>,
  message: fc.constantFrom(undefined, '', '5', 'Ann', 'a@b.example'),
  inputs: fc.array(arbitraryInput, { maxLength: 5 }),
  isLive: fc.boolean(),
  random: fc.constantFrom(0, 0.3, 0.9),
  breaths: fc.constantFrom(1, 5, 100),
})

/** Checks each turn of conversations when it has just ended; a conversation is over when a turn is refused. */
function afterEveryTurn(check: (walked: Walked) => void): void {
  const property = fc.property(arbitraryConversation, ({ definition, other, inputs, ...given }) => {
    let walked = walkFlow(definition, {
      limits,
      isLive: given.isLive,
      linked: [{ ...other, id: 'other' }],
      effects: { random: () => given.random, yield: (_, nth) => nth <= given.breaths },
      ...(given.message !== undefined && { message: given.message }),
    })
    check(walked)
    for (const input of inputs) {
      try {
        walked = walked.reply(input)
      } catch (error) {
        expect(error).toMatchObject({
          name: 'ServiceError',
          code: 'BAD_REQUEST',
        } satisfies Partial<ServiceError>)
        return
      }
      check(walked)
    }
  })
  fc.assert(property, { numRuns: 120 })
}

/** Whether each id in turn can be found in a list, none before the one that was found last. */
function standInOrder(ids: readonly string[], list: readonly string[]): boolean {
  let from = 0
  return ids.every((id) => {
    from = list.indexOf(id, from)
    return from !== -1
  })
}

describe('any turn of any flow', () => {
  it('stays within its budgets', () => {
    afterEveryTurn(({ turn, output, conversation }) => {
      expect(turn.budget.trail.length).toBeLessThanOrEqual(limits.blocksPerTurn)
      expect(output.messages.length).toBeLessThanOrEqual(limits.messagesPerTurn)
      expect(conversation.frames.length).toBeLessThanOrEqual(limits.linkDepth + 1)
      expect(conversation.returnStack.length).toBeLessThanOrEqual(limits.returnMarks)
    })
  })

  it('meets no handler that throws', () => {
    afterEveryTurn(({ output }) => {
      expect(output.defects).toEqual([])
    })
  })

  it('never leaves the flow that was started, nor a mark in a flow that was left', () => {
    afterEveryTurn(({ conversation: { frames, returnStack } }) => {
      expect(frames[0]).toMatchObject({ resumeAt: undefined, mergesResults: false })
      expect(frames[0]?.program.id).toBe('flow')
      expect(returnStack.every(({ frameDepth }) => frameDepth >= 0 && frameDepth < frames.length)).toBe(true)
    })
  })

  it('ends waiting at a block of the current frame, or is over', () => {
    afterEveryTurn(({ turn, conversation: { waitingBlock } }) => {
      const groups = [...turn.currentFrame.program.groups.values()]
      const isInFront = groups.some(({ blocks }) => waitingBlock && blocks.includes(waitingBlock))
      expect(isInFront).toBe(waitingBlock !== undefined)
    })
  })

  it('shows the input that it waits at, and no other', () => {
    afterEveryTurn(({ turn, output, conversation: { waitingBlock } }) => {
      const isAsking = waitingBlock?.handler?.kind === 'input'
      if (turn.budget.trail.length > 0 || output.messages.length > 0)
        expect(output.input?.value.id).toBe(isAsking ? waitingBlock.id : undefined)
    })
  })

  it('names in its actions messages that came before, in their order', () => {
    afterEveryTurn(({ output }) => {
      const named = output.actions.flatMap(({ value }) => value.lastBubbleBlockId ?? [])
      const shown = output.messages.map(({ value }) => value.id)
      expect(standInOrder(named, shown)).toBe(true)
    })
  })

  it('finishes only results that are not those of a caller', () => {
    afterEveryTurn(({ output, conversation: { frames, isLive } }) => {
      const finished = output.finished.map(({ resultId }) => resultId)
      const present = new Set(frames.map(({ resultId }) => resultId))
      expect(new Set(finished).size).toBe(finished.length)
      expect(finished.some((resultId) => resultId === undefined || present.has(resultId))).toBe(false)
      if (!isLive) expect(finished).toEqual([])
    })
  })

  it('has come somewhere between the start and the end', () => {
    afterEveryTurn(({ conversation }) => {
      const progress = computeProgress(conversation, false)
      expect(progress).toBeGreaterThan(0)
      expect(progress).toBeLessThanOrEqual(100)
      if (conversation.waitingBlock?.handler?.kind === 'input') expect(progress).toBeLessThan(100)
    })
  })
})
