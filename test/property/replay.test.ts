import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../schemas/start-chat.ts'
import { blockRegistry } from '../../src/blocks/index.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { compileRecorded } from '../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../src/tooling/replay/replay-recording.ts'
import { arbitraryFlow, arbitraryInput, arbitraryStart, bodyOf } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'
import { previewRequest, trusted } from '../support/preview-request.ts'
import { sandbox } from '../support/sandbox.ts'
import { createTestChat } from '../support/start.ts'

/** Numbers from 0 to 1, hardly ever the same. */
const arbitraryChance = fc.infiniteStream(fc.noBias(fc.maxSafeNat().map((nat) => nat / 2 ** 53)))

/** A world in which nothing happens the same way twice. */
function restlessChat(definitions: readonly Json[], chance: Iterator<number>) {
  const draw = () => chance.next().value as number
  const { ports } = createTestChat()
  const http = {
    send: async () => ({ kind: 'response', status: 200, text: JSON.stringify({ a: draw() }) }) as const,
    stream: () => Promise.reject(new Error('there is no network here')),
    close: async () => undefined,
  }
  return createTestChat(definitions, {
    sandbox,
    http,
    previewHttp: 'on',
    recordings: { maxLength: 16 * 1024 * 1024, live: { share: 1, isForErrors: false } },
    ports: {
      ...ports,
      now: () => Date.parse('2026-11-21T09:00:00Z') + Math.floor(draw() * 1e10),
      random: draw,
      createId: (purpose) => (purpose === 'value' ? `value-${draw()}` : ports.createId(purpose)),
    },
  })
}

/** What is refused leaves the session as it was. */
async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

it.each(['live', 'preview'] as const)(
  'a recording of any %s conversation gives the same bytes again',
  async (kind) => {
    let turns = 0
    await fc.assert(
      fc.asyncProperty(
        arbitraryFlow,
        arbitraryFlow,
        arbitraryStart,
        fc.array(arbitraryInput, { maxLength: 5 }),
        arbitraryChance,
        async (flow, another, start, inputs, chance) => {
          const definition = { ...(flow as Json), publicId: 'flow-1' } as Json
          const other = { ...(another as Json), id: 'other', publicId: 'other' }
          const { chat } = restlessChat([definition, other], chance)
          const body = start as Json
          const begun =
            kind === 'live'
              ? chat.startPublished({ publicId: 'flow-1', origin: undefined, body: body as StartChatBody })
              : chat.startPreview(previewRequest({ ...body, flow: definition, record: true }, trusted))
          if ((await unlessRefused(begun)) === undefined) return
          for (const input of inputs) {
            const next = bodyOf(input) as ContinueChatBody
            await unlessRefused(
              chat.continue({ sessionId: 'session-1', origin: undefined, body: next, caller: trusted }),
            )
          }
          const recording =
            kind === 'live'
              ? await chat
                  .resultRecording({ publicId: 'flow-1', resultId: 'result-1' })
                  .catch(() => undefined)
              : await chat.recording({ sessionId: 'session-1', caller: trusted })
          if (!recording) return
          const file = JSON.parse(JSON.stringify(recording))
          const replayed = await replayRecording(file, {
            programs: compileRecorded(file, { registry: blockRegistry }),
          })
          expect(replayed.divergence).toBeUndefined()
          expect(JSON.parse(JSON.stringify(replayed.turns))).toEqual(file.turns)
          turns += file.turns.length
        },
      ),
      { numRuns: 100 },
    )
    expect(turns).toBeGreaterThan(50)
  },
)
