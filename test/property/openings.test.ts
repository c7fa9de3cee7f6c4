import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVisitedWorld, visitAlone } from '../fixtures/visited-world.ts'
import { arbitraryFlow, arbitraryInput, arbitraryStart, bodyOf } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'

/** A flow, and another one that it may link to. */
const arbitraryFlows = fc
  .tuple(arbitraryFlow, arbitraryFlow)
  .map(([flow, other]) => [flow, { ...other, id: 'other' }] as readonly Json[])

const arbitraryWish = fc.constantFrom<Json>(
  {},
  {},
  { textBubbleContentFormat: 'markdown' },
  { isStreamEnabled: true },
)

/** What visitors ask for, few of whom bring something along. */
const arbitraryBody = fc.oneof(
  { weight: 4, arbitrary: arbitraryWish },
  { weight: 1, arbitrary: arbitraryStart },
)

describe('any flow', () => {
  it('opens for each visitor as if there had been no visitor before', async () => {
    let remembered = 0
    await fc.assert(
      fc.asyncProperty(
        arbitraryFlows,
        fc.array(arbitraryBody, { minLength: 2, maxLength: 4 }),
        async (definitions, bodies) => {
          const world = createVisitedWorld(definitions)
          for (const [nth, body] of bodies.entries()) {
            expect(await world.visit(nth, body)).toEqual(await visitAlone(definitions, [nth, body]))
          }
          remembered += world.walks().filter((isWalked) => !isWalked).length
        },
      ),
      { numRuns: 50 },
    )
    expect(remembered).toBeGreaterThan(0)
  })

  it('opens the same way three times in a row', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFlows, arbitraryBody, async (definitions, body) => {
        const world = createVisitedWorld(definitions)
        for (const nth of [1, 2, 3]) {
          expect(await world.visit(nth, body)).toEqual(await visitAlone(definitions, [nth, body]))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('is gone on with by each visitor as if there were no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryFlows,
        fc.array(arbitraryInput, { minLength: 1, maxLength: 4 }),
        async (definitions, inputs) => {
          const visitors = [1, 2, 3]
          const together = createVisitedWorld(definitions)
          for (const nth of visitors) await together.visit(nth)
          const alone = visitors.map(() => createVisitedWorld(definitions))
          for (const [index, world] of alone.entries()) await world.visit(index + 1)
          for (const input of inputs) {
            for (const [index, world] of alone.entries()) {
              const [nth, body] = [index + 1, bodyOf(input)]
              expect(await together.goOn(nth, body)).toEqual(await world.goOn(nth, body))
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})
