import { describe, expect, it } from 'vitest'
import { contentHash } from '../../../src/definition/content-hash.ts'
import type { Session } from '../../../src/sessions/session.ts'
import {
  bubble,
  endlessFlow,
  flowLink,
  setVariable,
  textInput,
  variable,
} from '../../fixtures/short-flows.ts'
import { createWatchedChat, startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'

const hashOf = (definition: Json) => contentHash(JSON.stringify(definition))

/** Starts a flow; what was kept of the conversation, without what is absent. */
async function sessionOf(flow: Json, options: { linked?: Json[]; body?: Json } = {}): Promise<Session> {
  const chat = createWatchedChat([flow, ...(options.linked ?? [])])
  await startLive(chat, options.body)
  expect(chat.savedSessions).toHaveLength(1)
  const [session] = chat.savedSessions
  const kept = (await chat.conversations.look('session-1'))?.session
  expect(kept).toEqual(session)
  return kept as Session
}

describe('the session of a conversation that waits', () => {
  const flow = wholeDefinition({
    blocks: [setVariable('b1', 'vB', { expressionToEvaluate: '1 + 1' }), bubble('b2'), textInput('b3')],
    variables: [variable('A', { value: 'declared' }), variable('B'), variable('C', { value: 'declared' })],
  })

  it('names its flow by hash and holds what changed', async () => {
    expect(await sessionOf(flow, { body: { prefilledVariables: { C: 'prefilled' } } })).toEqual({
      id: 'session-1',
      kind: 'live',
      state: 'waiting',
      createdAt: fixedNow,
      publicId: 'flow-1',
      queue: [
        {
          program: hashOf(flow),
          flowId: 'flow-1',
          variables: [
            ['vC', 'prefilled'],
            ['vB', '2'],
          ],
          resultId: 'result-1',
          answers: [],
        },
      ],
      waitingBlock: { blockId: 'b3' },
      answered: 0,
      counted: [fixedNow, 'OA'],
    })
  })

  it('counts and keeps the answers that were accepted', async () => {
    const asking = wholeDefinition({
      blocks: [textInput('b1', 'vA'), textInput('b2')],
      variables: [variable('A')],
    })
    expect(await sessionOf(asking, { body: { message: 'Ada' } })).toMatchObject({
      waitingBlock: { blockId: 'b2' },
      answered: 1,
      queue: [{ variables: [['vA', 'Ada']], answers: [['A', 'Ada']] }],
    })
  })

  it('keeps what was asked for at the start', async () => {
    const theme = { general: { progressBar: { isEnabled: true } } }
    const session = await sessionOf({ ...flow, theme }, { body: { isStreamEnabled: true } })
    expect(session).toMatchObject({ isStreamEnabled: true, isProgressTracked: true })
  })

  it.each<[string, Json, string]>([
    ['an action', { id: 'w', type: 'Wait', options: { secondsToWaitFor: 1, shouldPause: true } }, 'w'],
    [
      'an embed',
      {
        id: 'w',
        type: 'embed',
        content: { url: 'https://a.example', waitForEvent: { isEnabled: true, name: 'done' } },
      },
      'w',
    ],
  ])('may wait for %s', async (_name, block, blockId) => {
    const session = await sessionOf(wholeDefinition({ blocks: [block, bubble('b2')] }))
    expect(session).toMatchObject({ state: 'waiting', waitingBlock: { blockId } })
  })

  it('keeps the transcript for a flow that asks for it, and for no other', async () => {
    const blocks = [bubble('b1', 'Hello'), textInput('b2'), setVariable('b3', 'vA', { type: 'Transcript' })]
    const asking = wholeDefinition({ blocks, variables: [variable('A')] })
    expect((await sessionOf(asking)).transcript).toEqual(['Assistant: "Hello"'])
    expect((await sessionOf(flow))?.transcript).toBeUndefined()
  })

  it('remembers which variables became session variables', async () => {
    const blocks = [setVariable('b1', 'vA', { type: 'Transcript' }), textInput('b2')]
    const session = await sessionOf(wholeDefinition({ blocks, variables: [variable('A')] }))
    expect(session.queue).toMatchObject([{ sessionOnly: ['vA'] }])
  })

  it('remembers where a Return leads back to', async () => {
    const groups = [
      {
        id: 'g1',
        title: 'A',
        blocks: [{ id: 'b1', type: 'Jump', options: { groupId: 'g2' } }, bubble('b2')],
      },
      { id: 'g2', title: 'B', blocks: [textInput('b3')] },
    ]
    const session = await sessionOf(wholeDefinition({ groups }))
    expect(session.returnMarks).toEqual([{ height: 0, blockId: 'b2' }])
  })
})

describe('the session of a conversation inside links', () => {
  const inner = wholeDefinition({
    id: 'inner',
    blocks: [setVariable('i1', 'vOwn', { expressionToEvaluate: '1' }), textInput('i2')],
    variables: [variable('Own'), variable('Name')],
  })

  it('holds the flows from the top of the stack down, each on its own version', async () => {
    const flow = wholeDefinition({
      blocks: [flowLink('b1', 'inner'), bubble('b2')],
      variables: [variable('Name', { value: 'Ada' })],
    })
    const session = await sessionOf(flow, { linked: [inner] })
    expect(session).toMatchObject({ waitingBlock: { blockId: 'i2' } })
    expect(session.queue).toEqual([
      {
        program: hashOf(inner),
        flowId: 'inner',
        variables: [
          ['vName', 'Ada'],
          ['vOwn', '1'],
        ],
        answers: [],
        resultId: 'id-1',
        resumeAt: { blockId: 'b2' },
      },
      { program: hashOf(flow), flowId: 'flow-1', variables: [], answers: [], resultId: 'result-1' },
    ])
  })

  it('remembers that a flow merges, and that nothing follows the link', async () => {
    const flow = wholeDefinition({ blocks: [flowLink('b1', 'inner', { mergeResults: true })] })
    const [top] = (await sessionOf(flow, { linked: [inner] })).queue
    expect(top).toMatchObject({ mergesResults: true, resultId: 'result-1' })
    expect(top?.resumeAt).toBeUndefined()
  })

  it('keeps variables and answers once when a flow links to itself', async () => {
    const groups = [
      {
        id: 'g1',
        title: 'A',
        blocks: [textInput('b0', 'vName'), flowLink('b1', 'current', { groupId: 'g2' }), bubble('b2')],
      },
      { id: 'g2', title: 'B', blocks: [textInput('b3')] },
    ]
    const flow = wholeDefinition({ groups, variables: [variable('Name')] })
    const { queue } = await sessionOf(flow, { body: { message: 'Ada' } })
    const entry = { program: hashOf(flow), flowId: 'flow-1', resultId: 'result-1' }
    expect(queue).toEqual([
      {
        ...entry,
        variables: [],
        answers: [],
        sharesVariables: true,
        resumeAt: { blockId: 'b2' },
        mergesResults: true,
      },
      { ...entry, variables: [['vName', 'Ada']], answers: [['Name', 'Ada']] },
    ])
  })

  it('keeps what a linked flow left behind under names of its own', async () => {
    const leaving = wholeDefinition({
      id: 'inner',
      blocks: [setVariable('i1', 'vOwn', { expressionToEvaluate: '1' })],
      variables: [variable('Own')],
    })
    const flow = wholeDefinition({
      blocks: [flowLink('b1', 'inner', { mergeResults: true }), textInput('b2')],
    })
    const { queue } = await sessionOf(flow, { linked: [leaving] })
    expect(queue).toMatchObject([{ flowId: 'flow-1', variables: [], inherited: [['Own', '1']] }])
  })

  it('counts the height of a Return from the flow that was started', async () => {
    const jumping = wholeDefinition({
      id: 'inner',
      groups: [
        {
          id: 'i1',
          title: 'A',
          blocks: [{ id: 'j', type: 'Jump', options: { groupId: 'i2' } }, bubble('back')],
        },
        { id: 'i2', title: 'B', blocks: [textInput('wait')] },
      ],
    })
    const flow = wholeDefinition({ blocks: [flowLink('b1', 'inner')] })
    expect((await sessionOf(flow, { linked: [jumping] })).returnMarks).toEqual([
      { height: 1, blockId: 'back' },
    ])
  })
})

describe('the session of a conversation that is over', () => {
  const ended = {
    id: 'session-1',
    kind: 'live',
    state: 'ended',
    createdAt: fixedNow,
    queue: [],
    publicId: 'flow-1',
    result: { flowId: 'flow-1', id: 'result-1' },
  }

  it('keeps nothing that was said', async () => {
    const flow = wholeDefinition({
      blocks: [textInput('b1', 'vA'), setVariable('b2', 'vB', { type: 'Transcript' }), bubble('b3')],
      variables: [variable('A'), variable('B')],
    })
    const body = { message: 'Hi', isStreamEnabled: true }
    expect(await sessionOf(flow, { body })).toEqual({ ...ended, answered: 1 })
  })

  it('is the same after a spent budget', async () => {
    expect(await sessionOf(endlessFlow)).toEqual({ ...ended, answered: 0 })
  })

  it('keeps no definition of a draft', async () => {
    const chat = createWatchedChat()
    await startDraft(chat, { flow: wholeDefinition({ blocks: [bubble('b1')] }) })
    expect(chat.savedDefinitions).toEqual([])
    expect(chat.savedSessions).toMatchObject([{ id: 'session-1', kind: 'preview', state: 'ended' }])
  })
})
