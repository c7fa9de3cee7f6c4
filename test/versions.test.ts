import { describe, expect, it } from 'vitest'
import { blockHandlers } from '../src/blocks/index.ts'
import { bubble, flowLink, setVariable, variable } from './fixtures/short-flows.ts'
import { createWatchedChat, startDraft, startLive } from './fixtures/starting.ts'
import { twinOfVersion6 as current, twinOfVersion3 as old } from './fixtures/twin-flows.ts'
import { wholeDefinition } from './support/conformance.ts'
import type { Json } from './support/json.ts'
import { createTestChat, startPreview, startPublished } from './support/start.ts'

/** A response without the version that it repeats. */
function conversationOf(response: Json): Json {
  const { version: _version, ...flow } = response['flow'] as Json
  return { ...response, flow }
}

describe('a flow of version 3 and its twin of version 6', () => {
  const groupIds = current.groups.map(({ id }) => id)

  it('have the leftovers of their versions, and every bubble and input between them', () => {
    expect(old).toMatchObject({ version: '3', events: null })
    expect(old.groups[0]?.blocks).toMatchObject([{ type: 'start', groupId: 'start-group' }])
    expect(JSON.stringify(old)).toContain('"from":{"groupId":"start-group","blockId":"start-block"}')
    expect(JSON.stringify(old)).toContain('"blockId":"choice-input"')
    expect(JSON.stringify(current)).not.toMatch(
      /"type":"start","label"|"blockId":"choice-input"|"groupId":"start-group"/,
    )
    const shown = blockHandlers.filter(({ kind }) => kind === 'bubble' || kind === 'input')
    const types = new Set(current.groups.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
    expect(shown.flatMap((handler) => handler.types).filter((type) => !types.has(type))).toEqual([])
  })

  it.each<[string, Json]>([
    ['as they are', {}],
    ['in markdown', { textBubbleContentFormat: 'markdown' }],
    ['with other values', { prefilledVariables: { Name: 'Grace', Most: 7 } }],
    ['registered only', { isOnlyRegistering: true }],
  ])('start alike when published: %s', async (_name, body) => {
    const [before, after] = await Promise.all(
      [old, current].map((definition) => startPublished({ definition, body })),
    )
    expect(conversationOf(before!)).toEqual(conversationOf(after!))
    expect([before, after]).toMatchObject([{ flow: { version: '3' } }, { flow: { version: '6' } }])
  })

  it.each(groupIds)('start alike at the group %s, with a message and without', async (groupId) => {
    const startFrom = { type: 'group', groupId }
    for (const body of [{ startFrom }, { startFrom, message: '5' }, { startFrom, message: 'nonsense' }]) {
      const [before, after] = await Promise.all(
        [old, current].map((definition) => startPreview({ definition, body })),
      )
      expect(conversationOf(before!)).toEqual(conversationOf(after!))
    }
  })

  it('show something at each of those groups', async () => {
    for (const groupId of groupIds) {
      const response = await startPreview({
        definition: old,
        body: { startFrom: { type: 'group', groupId } },
      })
      expect(response['messages']).not.toEqual([])
    }
  })

  it('leave the same session and the same result behind, but for the hash of the definition', async () => {
    const [before, after] = await Promise.all(
      [old, current].map(async (definition) => {
        const chat = createWatchedChat([definition])
        await startLive(chat, {}, { publicId: 'twin' })
        // Paths come through the start block of old versions, too, in the session and in its result.
        const sessions = chat.savedSessions.map((session) => ({
          ...session,
          counted: undefined,
          queue: session.queue.map(({ program: _program, ...entry }) => entry),
        }))
        const results = chat.savedResults.map((result) => ({ ...result, visit: undefined }))
        return { sessions, results }
      }),
    )
    expect(before).toEqual(after)
    expect(before).toMatchObject({ sessions: [{ state: 'waiting' }], results: [{ flowId: 'twin' }] })
  })
})

/** The same flow in a version: old ones start at a block. */
function inVersion(version: string, { blocks, ...more }: Json & { blocks: Json[] }): Json {
  const isOld = Number(version) < 6
  const start = { id: 'g0', title: 'Start', blocks: [{ id: 's', type: 'start', outgoingEdgeId: 'e-start' }] }
  return wholeDefinition({
    version,
    groups: [...(isOld ? [start] : []), { id: 'g1', title: 'Group 1', blocks }],
    edges: [{ id: 'e-start', to: { groupId: 'g1' } }],
    ...more,
  })
}

const textOf = (response: Json) =>
  JSON.stringify(response['messages'])
    .match(/(?<="text":")(?:[^"\\]|\\.)*/g)
    ?.join('')

describe.each(['3', '4', '5', '6', '6.1'])('version %s', (version) => {
  const isOld = Number(version) < 6

  it(`shows ${isOld ? 'the last element of a list' : 'a list as its JSON'} in a text bubble`, async () => {
    const variables = [variable('List', { value: ['red', 'blue'] })]
    const definition = inVersion(version, { blocks: [bubble('b1', '{{List}}')], variables })
    const response = await startPublished({ definition })
    expect(textOf(response)).toBe(isOld ? 'blue' : '[\\"red\\",\\"blue\\"]')
  })

  it.each([
    [undefined, isOld],
    [true, true],
    [false, false],
  ])('follows a link that says %s about merging, and merges: %s', async (mergeResults, merges) => {
    const linked = wholeDefinition({
      id: 'other',
      blocks: [setVariable('o1', 'vName', { expressionToEvaluate: '"linked"' })],
      variables: [variable('Name')],
    })
    const link = flowLink('b1', 'other', mergeResults === undefined ? {} : { mergeResults })
    const variables = [variable('Name', { value: 'own' })]
    const definition = inVersion(version, { blocks: [link, bubble('b2', '{{Name}}')], variables })
    const chat = createWatchedChat([definition, linked])
    expect(textOf(await startLive(chat))).toBe(merges ? 'linked' : 'own')
    expect(chat.savedResults).toHaveLength(merges ? 1 : 2)
  })

  it('is repeated, and its theme and settings are left as they are for the client to fill in', async () => {
    const look = {
      theme: { chat: { roundness: 'large' } },
      settings: { general: { isBrandingEnabled: true } },
    }
    const bare = await startPublished({ definition: inVersion(version, { blocks: [bubble('b1')] }) })
    expect(bare['flow']).toMatchObject({ version, theme: {}, settings: {} })
    expect(bare['flow']).not.toMatchObject({ theme: { chat: {} } })
    const said = await startDraft(createTestChat(), {
      flow: inVersion(version, { blocks: [bubble('b1')], ...look }),
    })
    expect(said['flow']).toEqual({ id: 'flow-1', version, ...look })
  })
})

describe('a definition without a version', () => {
  it('counts as 3 without events and as 6 with them', async () => {
    const { version: _old, ...withoutEvents } = old
    const { version: _current, ...withEvents } = current
    const versions = [withoutEvents, withEvents].map(async (flow) => {
      const response = await startDraft(createTestChat(), { flow })
      return (response['flow'] as Json)['version']
    })
    expect(await Promise.all(versions)).toEqual(['3', '6'])
  })
})
