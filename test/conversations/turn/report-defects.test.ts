import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../schemas/common.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { ProgramCache } from '../../../src/conversations/session/program-cache.ts'
import { defineBlock } from '../../../src/engine/model/block-handler.ts'
import { sessionHash } from '../../../src/lib/session-hash.ts'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { createTestChat } from '../../support/start.ts'

const failing = defineBlock({
  schema: blockOf('failing', {}),
  kind: 'logic',
  compile: () => undefined,
  run() {
    throw new TypeError('a defect')
  },
})

const programs = new ProgramCache({
  registry: new Map([...blockRegistry, ['failing', failing]]),
  maxBytes: 1e6,
})

const flow = wholeDefinition({
  groups: [
    {
      id: 'g1',
      title: 'hush-title',
      blocks: [textInput('b1', 'vName'), { id: 'b2', type: 'failing' }, bubble('b3', 'hush-bubble {{Name}}')],
    },
  ],
  variables: [variable('Name'), variable('Other', { value: 'hush-default' })],
})

const body = { flow, message: 'hush-message', prefilledVariables: { Other: 'hush-prefilled' } }

describe('a block that fails', () => {
  it('is reported to the operator by its place and its stack, and never twice', async () => {
    const chat = createTestChat([], { programs })
    await startDraft(chat, body)
    expect(chat.reports).toEqual([
      {
        err: expect.any(TypeError),
        flow: 'preview',
        conversation: sessionHash('session-1'),
        blockId: 'b2',
        blockType: 'failing',
        groupId: 'g1',
      },
    ])
    const [{ err }] = chat.reports as [{ err: Error }]
    expect(err.stack).toContain('report-defects.test.ts')
  })

  it('is reported without anything that a visitor or the flow said', async () => {
    const chat = createTestChat([], { programs })
    await startDraft(chat, { ...body, sessionId: 'hush-session' })
    const told = chat.reports.map((report) => {
      const { err, ...rest } = report as { err: Error }
      return JSON.stringify([rest, err.message, err.cause, { ...err }])
    })
    expect(told).toHaveLength(1)
    expect(told.join()).not.toContain('hush')
  })

  it('does not keep the conversation from going on, live or not', async () => {
    const chat = createTestChat([], { programs })
    const preview = await startDraft(chat, body)
    expect(preview['messages']).toMatchObject([{ id: 'b3' }])
    expect(preview['logs']).toMatchObject([
      { status: 'error', description: 'A block failed and was skipped' },
    ])
    expect(JSON.stringify(preview['logs'])).not.toContain('a defect')
    const published = { ...createTestChat([flow]).published }
    const found = await published.byPublicId('flow-1')
    const { program } = programs.prepare(flow)
    const live = createTestChat([], {
      programs,
      published: { ...published, byPublicId: async () => found && { ...found, program } },
    })
    expect(await startLive(live, { message: 'Hi' })).toMatchObject({ messages: [{ id: 'b3' }] })
    expect(live.reports).toHaveLength(1)
  })

  it('is reported once for each time it ran', async () => {
    const chat = createTestChat([], { programs })
    const blocks = [1, 2, 3].map((number) => ({ id: `b${number}`, type: 'failing' }))
    await startDraft(chat, { flow: wholeDefinition({ blocks }) })
    expect(chat.reports).toMatchObject([{ blockId: 'b1' }, { blockId: 'b2' }, { blockId: 'b3' }])
  })
})

describe('a flow that only does what it should', () => {
  it('is not reported, problems of its own included', async () => {
    const chat = createTestChat()
    const blocks = [
      { id: 'b1', type: 'hologram' },
      { id: 'b2', type: 'Jump', options: { groupId: 'gone' } },
    ]
    const response = await startDraft(chat, { flow: wholeDefinition({ blocks }) })
    expect(response['logs']).toHaveLength(2)
    expect(chat.reports).toEqual([])
  })
})
