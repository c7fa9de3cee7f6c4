import { describe, expect, it } from 'vitest'
import {
  bubble,
  flowLink,
  rememberingFlow,
  setVariable,
  textInput,
  variable,
} from '../../fixtures/short-flows.ts'
import { createWatchedChat, startDraft, startLive, untouchableWorld } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { trusted } from '../../support/preview-request.ts'
import { createTestChat, sessionOf } from '../../support/start.ts'

const draft = wholeDefinition({ blocks: [bubble('b1'), textInput('b2')] })
const published = wholeDefinition({
  id: 'inner',
  publicId: 'welcome',
  blocks: [bubble('i1'), textInput('i2')],
})
const notFound = { name: 'ServiceError', code: 'NOT_FOUND', message: 'Flow not found' }

describe('what a preview may reach', () => {
  const linking = wholeDefinition({ blocks: [flowLink('b1', 'inner'), bubble('b2')] })

  it('is nothing but itself without a token', async () => {
    const response = await startDraft(createTestChat([published]), { flow: linking })
    expect(response['messages']).toMatchObject([{ id: 'b2' }])
    expect(response['logs']).toEqual([
      {
        status: 'error',
        description: 'Flow link could not be followed',
        details: 'A preview follows links to published flows only when it is started with the preview token',
      },
    ])
  })

  it('is published flows with the token', async () => {
    const chat = createTestChat([published])
    const response = await startDraft(chat, { flow: linking }, { caller: trusted })
    expect(response['messages']).toMatchObject([{ id: 'i1' }])
    expect(response).not.toHaveProperty('logs')
  })

  it.each(['current', 'flow-1'])('is its own groups, linked to as %s', async (flowId) => {
    const groups = [
      { id: 'g1', title: 'A', blocks: [flowLink('b1', flowId, { groupId: 'g2' })] },
      { id: 'g2', title: 'B', blocks: [bubble('b2')] },
    ]
    const response = await startDraft(createTestChat(), { flow: wholeDefinition({ groups }) })
    expect(response['messages']).toMatchObject([{ id: 'b2' }])
  })

  it('does not depend on what the body calls itself', async () => {
    const flow = { ...linking, id: 'inner', workspaceId: 'owner' }
    const response = await startDraft(createTestChat([published]), { flow }, { flowId: 'inner' })
    expect(response['messages']).not.toContainEqual(expect.objectContaining({ id: 'i1' }))
  })
})

describe('a preview without a flow', () => {
  it('finds nothing to run without a token, published or not', async () => {
    const chat = createTestChat([published])
    for (const flowId of ['inner', 'welcome', 'gone']) {
      await expect(startDraft(chat, {}, { flowId })).rejects.toMatchObject(notFound)
    }
  })

  it.each(['inner', 'welcome'])('runs the published flow "%s" with the token', async (flowId) => {
    const chat = createWatchedChat([published])
    const response = await startDraft(chat, { sessionId: 'mine' }, { flowId, caller: trusted })
    expect(response).toMatchObject({ sessionId: 'mine', flow: { id: 'inner' }, messages: [{ id: 'i1' }] })
    expect(response).not.toHaveProperty('resultId')
    expect(response['flow']).not.toHaveProperty('publishedAt')
    expect(chat.savedDefinitions).toEqual([])
    expect(chat.savedResults).toEqual([])
  })

  it('finds neither unknown nor archived flows with the token', async () => {
    const chat = createTestChat([{ ...published, isArchived: true }])
    for (const flowId of ['inner', 'welcome', 'gone']) {
      await expect(startDraft(chat, {}, { flowId, caller: trusted })).rejects.toMatchObject(notFound)
    }
  })
})

describe('what is wrong with a preview', () => {
  const refused = (problems: object[]) => ({ name: 'ServiceError', code: 'BAD_REQUEST', problems })
  const start = (body: Json) => startDraft(createTestChat([], untouchableWorld()), body)

  it('is reported by its place in the body', async () => {
    const flow = wholeDefinition({
      blocks: [bubble('b1'), { ...textInput('b2'), options: { isLong: 'true' } }],
      variables: [{ id: 'v' }],
    })
    await expect(start({ flow })).rejects.toMatchObject(
      refused([
        { pointer: '/flow/groups/0/blocks/1/options/isLong', message: 'must be boolean' },
        { pointer: '/flow/variables/0', message: "must have required property 'name'" },
      ]),
    )
  })

  it.each([{}, [], 'x', null, 5])('points at the flow itself when it is %j', async (flow) => {
    const error = await start({ flow }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'BAD_REQUEST' })
    expect((error as { problems: { pointer: string }[] }).problems[0]).toMatchObject({ pointer: '/flow' })
  })

  it.each<[string, (deep: unknown) => Json, string]>([
    ['a theme', (theme) => ({ theme: { deep: theme } }), '/flow/theme/deep/0/0/'],
    ['a block', (deep) => ({ blocks: [{ ...bubble('b1'), deep }] }), '/flow/groups/0/blocks/0/deep/0/'],
    ['an unknown key', (deep) => ({ unknown: deep }), '/flow/unknown/0/0/'],
  ])('is %s of 100 000 levels', async (_name, withDeep, place) => {
    let deep: unknown = []
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const flow = wholeDefinition({ blocks: [], ...withDeep(deep) })
    await expect(start({ flow })).rejects.toMatchObject(
      refused([{ pointer: expect.stringContaining(place), message: 'must not lie deeper than 128 levels' }]),
    )
  })

  it.each([
    ['group', 'gone'],
    ['group', ''],
    ['group', 'Group 1'],
    ['group', '__proto__'],
    ['block', 'constructor'],
    ['event', 'gone'],
    ['event', 'b1'],
  ])('is a start from the %s %j', async (type, id) => {
    const problem = {
      pointer: `/startFrom/${type}Id`,
      message: `the flow has no ${type} "${id}" to start from`,
    }
    await expect(start({ flow: draft, startFrom: { type, [`${type}Id`]: id } })).rejects.toMatchObject({
      ...refused([problem]),
      message: `Start ${type} doesn't exist`,
    })
  })

  it('leaves the session of its id alone', async () => {
    const chat = createWatchedChat()
    await startDraft(chat, { flow: draft, sessionId: 'mine' })
    const before = await sessionOf(chat, 'mine')
    const wrong = { flow: draft, sessionId: 'mine', startFrom: { type: 'group', groupId: 'gone' } }
    await expect(startDraft(chat, wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await sessionOf(chat, 'mine')).toEqual(before)
    expect(chat.savedSessions).toHaveLength(1)
  })
})

describe('the session id of a preview', () => {
  it('is a fresh one each time when none is given', async () => {
    const chat = createTestChat()
    expect(await startDraft(chat, { flow: draft })).toMatchObject({ sessionId: 'session-1' })
    expect(await startDraft(chat, { flow: draft })).toMatchObject({ sessionId: 'session-2' })
  })

  it('starts the session of that id over, nothing of it is kept', async () => {
    const chat = createWatchedChat()
    const variables = [variable('A')]
    const first = wholeDefinition({ blocks: [textInput('b1', 'vA'), textInput('b2')], variables })
    await startDraft(chat, { flow: first, sessionId: 'mine', message: 'Ada' })
    const second = wholeDefinition({ blocks: [bubble('b1', 'Hi {{A}}'), textInput('b2')], variables })
    const response = await startDraft(chat, { flow: second, sessionId: 'mine' })
    expect(response['messages']).toMatchObject([{ content: { richText: [{ children: [{ text: 'Hi ' }] }] } }])
    expect(await sessionOf(chat, 'mine')).toMatchObject({
      answered: 0,
      queue: [{ variables: [], answers: [] }],
    })
  })

  it('never leads to a live session', async () => {
    const chat = createTestChat([draft])
    const { sessionId } = await startLive(chat)
    const live = await sessionOf(chat, `${sessionId}`)
    for (const id of [sessionId, `live:${sessionId}`, `live ${sessionId}`]) {
      expect(await startDraft(chat, { flow: draft, sessionId: id })).toMatchObject({ sessionId: id })
      expect(await sessionOf(chat, `${sessionId}`)).toEqual(live)
    }
    await chat.conversations.erase(String(sessionId))
    expect(await sessionOf(chat, String(sessionId))).toMatchObject({ id: sessionId, kind: 'preview' })
  })
})

describe('the definition of a preview', () => {
  it('is kept under the hash that the session names, once', async () => {
    const chat = createWatchedChat()
    await startDraft(chat, { flow: draft })
    await startDraft(chat, { flow: structuredClone(draft) })
    const hashes = chat.savedSessions.map(({ queue }) => queue[0]?.program)
    expect(new Set(hashes).size).toBe(1)
    expect(await chat.definitions.get(hashes[0] ?? '')).toBe(JSON.stringify({ flow: draft }))
  })

  it('is kept as it was sent, not as it is understood', async () => {
    const chat = createWatchedChat()
    const old = {
      version: '3',
      id: 'x',
      groups: [{ id: 'g1', title: 'A', blocks: [textInput('b1')] }],
      extra: [1],
    }
    const body = { flow: old, startFrom: { type: 'group', groupId: 'g1' } }
    await startDraft(chat, body)
    expect(await chat.definitions.get(chat.savedDefinitions[0] ?? '')).toBe(JSON.stringify(body))
  })

  it('is not changed by a start', async () => {
    const flow = rememberingFlow({
      blocks: [
        setVariable('b1', 'vA', { expressionToEvaluate: '1' }),
        bubble('b2', '{{A}}'),
        textInput('b3'),
      ],
      variables: [variable('A')],
      theme: { customCss: '{{A}}' },
    })
    const before = structuredClone(flow)
    await startDraft(createTestChat(), { flow, prefilledVariables: { A: 'x' }, message: 'Hi' })
    expect(flow).toStrictEqual(before)
  })
})

describe('a definition under another name', () => {
  const draft = wholeDefinition({ blocks: [{ id: 'b1', type: 'text input' }] })

  it.each(['definition', 'bot', 'a/b~c'])('is refused, and the member named: %s', async (name) => {
    const pointer = `/${name.replace('~', '~0').replace('/', '~1')}`
    await expect(startDraft(createTestChat([draft]), { [name]: draft })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The definition belongs in "flow"',
      problems: [{ pointer, message: 'looks like the definition, which belongs in "flow"' }],
    })
  })

  it('is not looked for where there is one in its place', async () => {
    const response = await startDraft(createTestChat(), { flow: draft, draft })
    expect(response['input']).toMatchObject({ id: 'b1' })
  })
})
