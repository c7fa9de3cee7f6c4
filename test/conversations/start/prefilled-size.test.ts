import { describe, expect, it } from 'vitest'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { createTestChat } from '../../support/start.ts'

const flow = wholeDefinition({
  blocks: [bubble('b1', '{{A}}'), textInput('i')],
  variables: [variable('A'), variable('x/y~z'), variable('C')],
})

const ofLength = (length: number) => 'a'.repeat(length)

const most = 64 * 1024

const refusal = (pointer: string) => ({
  code: 'BAD_REQUEST',
  problems: [{ pointer, message: expect.stringContaining('leave it out') }],
})

describe('what a start prefills', () => {
  it('may have 65,536 characters, and not one more', async () => {
    const chat = createTestChat([flow])
    const start = (length: number) => startLive(chat, { prefilledVariables: { A: ofLength(length) } })
    expect(await start(most)).toMatchObject({ messages: [{ id: 'b1' }] })
    await expect(start(most + 1)).rejects.toMatchObject(refusal('/prefilledVariables/A'))
  })

  it('is counted together, as it is kept, and the value that is too much is named', async () => {
    const chat = createTestChat([flow])
    const prefilledVariables = {
      C: 'c',
      'x/y~z': [{ k: ofLength(20_000) }, ofLength(20_000)],
      A: ofLength(30_000),
    }
    const refused = refusal('/prefilledVariables/x~1y~0z')
    await expect(startLive(chat, { prefilledVariables })).rejects.toMatchObject(refused)
    await expect(startDraft(chat, { flow, prefilledVariables })).rejects.toMatchObject(refused)
  })

  it('is not counted where the flow declares no variable of the name', async () => {
    const chat = createTestChat([flow])
    const prefilledVariables = { A: 'Ada', Unknown: ofLength(4 * most) }
    expect(await startLive(chat, { prefilledVariables })).toMatchObject({ messages: [{ id: 'b1' }] })
  })
})
