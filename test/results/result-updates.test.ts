import { describe, expect, it } from 'vitest'
import { anonymous } from '../../src/ports/caller.ts'
import { Path } from '../../src/stores/counts/path-bits.ts'
import type { Result } from '../../src/stores/result-store.ts'
import { bubble, flowLink, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { createWatchedChat, startLive } from '../fixtures/starting.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { fixedNow } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { previewRequest } from '../support/preview-request.ts'

interface Run {
  readonly flow: Json
  readonly linked?: readonly Json[]
  readonly body?: Json
}

/** Starts a flow; the results that were written, in the order of their ids. */
async function recordsOf({ flow, linked = [], body }: Run): Promise<Result[]> {
  const chat = createWatchedChat([flow, ...linked].map(wholeDefinition))
  await startLive(chat, body)
  return chat.savedResults.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

async function recordOf(flow: Json, body?: Json): Promise<Result | undefined> {
  const records = await recordsOf({ flow, ...(body && { body }) })
  expect(records).toHaveLength(1)
  return records[0]
}

/** Behind the places that every path may have. */
function pathOf(index: number): string {
  const path = new Path()
  path.add(index)
  return path.toString()
}

describe('the result of a start', () => {
  it('is there before anything was answered', async () => {
    expect(await recordOf({ publicId: 'flow-1', id: 'inner', blocks: [textInput('b1')] })).toEqual({
      id: 'result-1',
      flowId: 'inner',
      createdAt: fixedNow,
      updatedAt: fixedNow,
      variables: [],
      answers: [],
      transcript: [],
      logs: [],
      hasStarted: false,
      isCompleted: false,
      lastChatSessionId: 'session-1',
      visit: { version: expect.any(String), path: pathOf(3), cohort: '', place: 'b1', askedAt: fixedNow },
    })
  })

  it('is plain JSON', async () => {
    const flow = {
      blocks: [textInput('b1', 'vA')],
      variables: [variable('A'), variable('B', { value: ['x', null] })],
    }
    const record = await recordOf(flow, { message: 'Hi' })
    expect(JSON.parse(JSON.stringify(record))).toStrictEqual(record)
  })

  it.each([
    ['is not written where nobody could read it', {}, 0],
    [
      'is written all the same where the flow remembers its visitors',
      { rememberUser: { isEnabled: true } },
      2,
    ],
    ['is so where an older flow says that', { isNewResultOnRefreshEnabled: false }, 2],
  ])('%s', async (_name, general, writes) => {
    const flow = wholeDefinition({ blocks: [textInput('b1')], settings: { general } })
    const chat = createWatchedChat([flow], { areResultsRead: false })
    const { sessionId, resultId } = await startLive(chat)
    expect(resultId).toBe('result-1')
    await chat.chat.continue({
      caller: anonymous,
      sessionId: String(sessionId),
      origin: undefined,
      body: { message: 'Hi' },
    })
    expect(chat.savedResults).toHaveLength(writes)
  })

  it('is not written by a preview', async () => {
    const chat = createWatchedChat()
    const flow = wholeDefinition({ blocks: [textInput('b1')] })
    await chat.chat.startPreview(previewRequest({ flow, message: 'Hi' }))
    expect(chat.savedResults).toEqual([])
  })
})

describe('the variables of a result', () => {
  it('are those that hold something, in the order of their declaration', async () => {
    const variables = [
      variable('List', { value: ['x', null] }),
      variable('Nothing'),
      variable('Null', { value: null }),
      variable('Empty', { value: '' }),
      variable('Cleared', { value: 'x' }),
      variable('Prefilled'),
      variable('Written'),
    ]
    const blocks = [
      setVariable('b1', 'vWritten', { expressionToEvaluate: '1 + 1' }),
      setVariable('b2', 'vCleared', { type: 'Empty' }),
    ]
    const record = await recordOf({ blocks, variables }, { prefilledVariables: { Prefilled: 5 } })
    expect(record?.variables).toEqual([
      { id: 'vList', name: 'List', value: ['x', null] },
      { id: 'vPrefilled', name: 'Prefilled', value: '5' },
      { id: 'vWritten', name: 'Written', value: '2' },
    ])
  })

  it('leave session variables out, whoever gave them a value', async () => {
    const isSessionVariable = true
    const variables = [
      variable('Declared', { isSessionVariable, value: 'x' }),
      variable('Prefilled', { isSessionVariable }),
      variable('Written', { isSessionVariable }),
      variable('Answered', { isSessionVariable }),
    ]
    const blocks = [
      setVariable('b1', 'vWritten', { expressionToEvaluate: '1' }),
      textInput('b2', 'vAnswered'),
    ]
    const body = { prefilledVariables: { Prefilled: 'x' }, message: 'Hi' }
    const record = await recordOf({ blocks, variables }, body)
    expect(record).toMatchObject({ variables: [], answers: [{ blockId: 'b2', content: 'Hi' }] })
  })

  it('leave out what received the transcript', async () => {
    const flow = {
      blocks: [
        bubble('b1', 'Hello'),
        setVariable('b2', 'vAll', { type: 'Transcript' }),
        bubble('b3', '{{All}}'),
      ],
      variables: [variable('All'), variable('Other', { value: 'x' })],
    }
    const record = await recordOf(flow)
    expect(record?.variables).toEqual([{ id: 'vOther', name: 'Other', value: 'x' }])
  })
})

describe('the answers of a result', () => {
  it('are in normal form, with what was attached', async () => {
    const attachedFileUrls = ['https://a.example/1.png']
    const message = { type: 'text', text: 'Ada@A.Example', attachedFileUrls }
    const blocks = [{ id: 'b1', type: 'email input', options: { variableId: 'vMail' } }, textInput('b2')]
    expect(await recordOf({ blocks, variables: [variable('Mail')] }, { message })).toMatchObject({
      answers: [{ blockId: 'b1', content: 'ada@a.example', attachedFileUrls }],
      variables: [{ name: 'Mail', value: 'ada@a.example' }],
      hasStarted: true,
      isCompleted: false,
    })
  })

  it('are none when the message was refused', async () => {
    const blocks = [{ id: 'b1', type: 'email input' }]
    expect(await recordOf({ blocks }, { message: 'nonsense' })).toMatchObject({
      answers: [],
      hasStarted: false,
    })
  })

  it('are none when the message was left alone', async () => {
    const blocks = [bubble('b1'), textInput('b2')]
    expect(await recordOf({ blocks }, { message: 'Hi' })).toMatchObject({ answers: [], hasStarted: false })
  })
})

describe('whether a result is completed', () => {
  const pause = { id: 'b2', type: 'Wait', options: { secondsToWaitFor: 1, shouldPause: true } }

  it.each<[string, Json[], string | undefined, boolean]>([
    ['no, when the end comes without an answer', [bubble('b1')], undefined, false],
    ['no, when nothing was shown', [], undefined, false],
    ['no, while an input waits', [textInput('b1')], undefined, false],
    ['no, while a second input waits', [textInput('b1'), textInput('b2')], 'Hi', false],
    ['no, while an action waits for its reply', [textInput('b1'), pause], 'Hi', false],
    ['yes, at the end with an answer', [textInput('b1'), bubble('b2')], 'Hi', true],
  ])('%s', async (_name, blocks, message, isCompleted) => {
    expect(await recordOf({ blocks }, message === undefined ? {} : { message })).toMatchObject({
      isCompleted,
    })
  })
})

describe('the results of linked flows', () => {
  const inner = {
    id: 'inner',
    blocks: [bubble('i1'), textInput('i2')],
    variables: [variable('Own', { value: 'x' })],
  }
  const outer = (options: Json) => ({
    blocks: [flowLink('b1', 'inner', options), textInput('b2')],
    variables: [variable('Name', { value: 'Ada' })],
  })

  it('are their own when they do not merge', async () => {
    const records = await recordsOf({ flow: outer({}), linked: [inner] })
    expect(records).toMatchObject([
      { id: 'result-1', flowId: 'flow-1', variables: [{ name: 'Name', value: 'Ada' }] },
      {
        id: 'id-1',
        flowId: 'inner',
        variables: [{ name: 'Own', value: 'x' }],
        hasStarted: false,
        isCompleted: false,
        lastChatSessionId: 'session-1',
      },
    ])
    expect(records).toHaveLength(2)
  })

  it('are none of their own when they merge', async () => {
    const records = await recordsOf({ flow: outer({ mergeResults: true }), linked: [inner] })
    expect(records.map(({ id, flowId }) => [id, flowId])).toEqual([['result-1', 'flow-1']])
  })

  it('are none of their own for the flow itself', async () => {
    const groups = [
      { id: 'g1', title: 'A', blocks: [flowLink('b1', 'current', { groupId: 'g2' })] },
      { id: 'g2', title: 'B', blocks: [textInput('b2')] },
    ]
    const records = await recordsOf({ flow: { groups } })
    expect(records.map(({ id }) => id)).toEqual(['result-1'])
  })

  it('are completed when the linked flow has ended', async () => {
    const ended = { ...inner, blocks: [bubble('i1')] }
    const records = await recordsOf({ flow: outer({}), linked: [ended] })
    expect(records).toMatchObject([
      { id: 'result-1', isCompleted: false },
      { id: 'id-1', flowId: 'inner', isCompleted: true },
    ])
  })

  it('get what they merge when the part that merges has ended', async () => {
    const ended = { ...inner, blocks: [setVariable('i1', 'vName', { expressionToEvaluate: '"Grace"' })] }
    const records = await recordsOf({
      flow: outer({ mergeResults: true }),
      linked: [{ ...ended, variables: [variable('Name')] }],
    })
    expect(records).toMatchObject([{ id: 'result-1', variables: [{ name: 'Name', value: 'Grace' }] }])
  })
})
