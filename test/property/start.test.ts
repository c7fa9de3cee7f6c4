import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryFlow, arbitraryStart } from '../support/arbitrary-flow.ts'
import { defaultLimits } from '../support/limits.ts'
import { lint } from '../support/lint.ts'
import { previewRequest } from '../support/preview-request.ts'
import { expectValid } from '../support/response-validators.ts'
import { createTestChat, startPreview, startPublished } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

const runs = { numRuns: 120 }
const random = [0.1, 0.9, 0.5]

describe('any flow', () => {
  it('starts within its budgets, without a defect, and answers as documented', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFlow, arbitraryStart, async (definition, body) => {
        const limits = { ...defaultLimits, blocksPerTurn: 60, messagesPerTurn: 25 }
        const { chat, reports } = createTestChat([], { random, limits })
        const response = parseWire(await chat.startPreview(previewRequest({ ...body, flow: definition })))
        expectValid('preview', response)
        expect(reports).toEqual([])
        expect((response['messages'] as unknown[]).length).toBeLessThanOrEqual(25)
      }),
      runs,
    )
  })

  it('is answered the same way whenever nothing differs', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFlow, arbitraryStart, async (definition, body) => {
        const start = () => startPreview({ definition, body, random })
        expect(await start()).toEqual(await start())
      }),
      { numRuns: 50 },
    )
  })

  it('starts when it is published, links into others included', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFlow, arbitraryFlow, arbitraryStart, async (definition, other, body) => {
        const response = await startPublished({
          definition,
          linked: [{ ...other, id: 'other' }],
          body,
          random,
        })
        expectValid('public', response)
      }),
      { numRuns: 60 },
    )
  })

  it('can be remarked on', () => {
    fc.assert(
      fc.property(arbitraryFlow, (definition) => {
        for (const { pointer, message } of lint(definition)) {
          expect(pointer).toMatch(/^\//)
          expect(message).not.toBe('')
        }
      }),
      runs,
    )
  })
})
