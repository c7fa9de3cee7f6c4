import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import { contentHash } from '../../../src/definition/content-hash.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import type { Session } from '../../../src/sessions/session.ts'
import { bubble, flowLink, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { createTestChat, holdSession, keepSession, sessionOf, type TestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

const textOf = (definition: Json) => JSON.stringify(definition)

/** Starts a session on flows as they were, and then publishes them as they are. */
async function republish(before: readonly Json[], after: readonly Json[], body: Json = {}) {
  const earlier = createTestChat(before)
  await startLive(earlier, body)
  const { conversations, results, definitions } = earlier
  for (const definition of before) {
    await definitions.put(contentHash(textOf(definition)), textOf(definition))
  }
  const later = createTestChat(after, { conversations, results, definitions })
  return { ...later, earlier, ...doing(later) }
}

function doing({ chat, conversations }: TestChat, sessionId = 'session-1') {
  return {
    update: () => chat.updateFlow({ sessionId }),
    async say(message: string | null): Promise<Json> {
      const body = { message, textBubbleContentFormat: 'markdown' } as ContinueChatBody
      return parseWire(await chat.continue({ caller: anonymous, sessionId, origin: undefined, body }))
    },
    stored: () => sessionOf({ conversations }, sessionId),
  }
}

const shown = (text: string) => ({ content: { type: 'markdown', markdown: text } })
const asking = (...blocks: Json[]) => wholeDefinition({ blocks: [textInput('i1'), ...blocks] })

describe('updating the flow of a session', () => {
  it('lets it go on in the published version', async () => {
    const { update, say } = await republish([asking(bubble('b1', 'old'))], [asking(bubble('b1', 'new'))])
    expect(await update()).toBeUndefined()
    expect(await say('Hi')).toMatchObject({ messages: [shown('new')] })
  })

  it('is what it takes: a session stays on its version otherwise', async () => {
    const { say } = await republish([asking(bubble('b1', 'old'))], [asking(bubble('b1', 'new'))])
    expect(await say('Hi')).toMatchObject({ messages: [shown('old')] })
  })

  it('changes nothing but the version', async () => {
    const variables = [variable('A', { value: 'a' }), variable('B')]
    const theme = { general: { progressBar: { isEnabled: true } } }
    const blocks = [textInput('i1', 'vB'), textInput('i2')]
    const before = wholeDefinition({ blocks, variables, theme })
    const after = wholeDefinition({ blocks: [bubble('b0'), ...blocks, bubble('b3')], variables, theme })
    const body = { message: 'Ada', isStreamEnabled: true, prefilledVariables: { A: 'p' } }
    const { update, stored } = await republish([before], [after], body)
    const session = await stored()
    await update()
    const program = contentHash(textOf(after))
    expect(session?.queue).toMatchObject([
      {
        variables: [
          ['vA', 'p'],
          ['vB', 'Ada'],
        ],
      },
    ])
    const { counted: _before, ...rest } = session ?? {}
    const { counted: _after, ...moved } = (await stored()) ?? {}
    expect(moved).toEqual({ ...rest, queue: [{ ...session?.queue[0], program }] })
  })

  it('may be asked for again, and without need', async () => {
    const flow = asking(bubble('b1', 'same'))
    const { update, stored, say } = await republish([flow], [flow])
    const session = await stored()
    await update()
    await update()
    expect(await stored()).toEqual(session)
    expect(await say('Hi')).toMatchObject({ messages: [shown('same')] })
  })

  it('keeps what variables held, declared or written', async () => {
    const show = bubble('b1', '{{A}} {{B}} {{C}} {{Gone}}')
    const before = {
      ...asking(show),
      variables: [variable('A', { value: 'a' }), variable('B'), variable('Gone', { value: 'kept' })],
    }
    const after = {
      ...asking(show),
      variables: [
        variable('A', { value: 'x' }),
        variable('B', { value: 'x' }),
        variable('C', { value: 'c' }),
      ],
    }
    const { update, say } = await republish([before], [after], { prefilledVariables: { B: 'b' } })
    await update()
    expect(await say('Hi')).toMatchObject({ messages: [shown('a b c kept')] })
  })

  it('gives a registered session the version to start with', async () => {
    const [before, after] = [asking(), wholeDefinition({ blocks: [bubble('b1', 'new'), textInput('i2')] })]
    const { update, stored, say } = await republish([before], [after], { isOnlyRegistering: true })
    await update()
    expect(await stored()).toMatchObject({ state: 'registered' })
    expect(await say(null)).toMatchObject({ messages: [shown('new')], input: { id: 'i2' } })
  })

  it('lets an input become another, which judges the reply', async () => {
    const email = wholeDefinition({ blocks: [{ id: 'i1', type: 'email input' }, bubble('b1', 'thanks')] })
    const { update, say } = await republish([asking()], [email])
    await update()
    expect(await say('no address')).toMatchObject({ input: { type: 'email input' } })
    expect(await say('ada@example.com')).toMatchObject({ messages: [shown('thanks')] })
  })

  it('begins a transcript where the published version asks for one', async () => {
    const transcript = setVariable('s1', 'vA', { type: 'Transcript' })
    const after = { ...asking(transcript, bubble('b1', '{{A}}')), variables: [variable('A')] }
    const { update, stored, say } = await republish([asking()], [after])
    expect((await stored())?.transcript).toBeUndefined()
    await update()
    expect(await stored()).toMatchObject({ transcript: [] })
    expect(JSON.stringify(await say('Hi'))).toContain('Hi')
  })

  it('takes turns with what else happens to the session', async () => {
    const { update, conversations, stored } = await republish([asking()], [asking(bubble('b1'))])
    const session = await stored()
    const release = await holdSession({ conversations }, 'session-1')
    const updated = update()
    await setImmediate()
    expect(await stored()).toEqual(session)
    await release()
    await updated
    expect(await stored()).not.toEqual(session)
  })
})

describe('updating the flow of a session that is inside a link', () => {
  const inner = (text: string) =>
    wholeDefinition({ id: 'inner', blocks: [textInput('i1'), bubble('b1', text)] })
  const outer = (text: string) =>
    wholeDefinition({ blocks: [flowLink('l1', 'inner'), bubble('b2', text), textInput('i2')] })

  it('moves the linked flow alone', async () => {
    const { update, say } = await republish(
      [outer('old outer'), inner('old inner')],
      [outer('new outer'), inner('new inner')],
    )
    await update()
    expect(await say('Hi')).toMatchObject({ messages: [shown('new inner'), shown('old outer')] })
  })

  it('moves every part of a flow that linked to itself, and the parts go on sharing variables', async () => {
    const flow = (text: string) =>
      wholeDefinition({
        groups: [
          {
            id: 'g1',
            title: 'A',
            blocks: [flowLink('l1', 'current', { groupId: 'g2' }), bubble('b1', text)],
          },
          { id: 'g2', title: 'B', blocks: [textInput('i1', 'vA')] },
        ],
        variables: [variable('A')],
      })
    const { update, stored, say } = await republish([flow('old {{A}}')], [flow('new {{A}}')])
    await update()
    const { queue = [] } = (await stored()) ?? {}
    const hash = contentHash(textOf(flow('new {{A}}')))
    expect(queue).toMatchObject([{ program: hash, sharesVariables: true }, { program: hash }])
    expect(await say('Ada')).toMatchObject({ messages: [shown('new Ada')] })
  })

  it('keeps the place where the flow behind goes on, in its new version too', async () => {
    const recursive = (text: string) =>
      wholeDefinition({
        groups: [
          { id: 'g1', title: 'A', blocks: [flowLink('l1', 'flow-1', { groupId: 'g2' }), bubble('b1', text)] },
          { id: 'g2', title: 'B', blocks: [textInput('i1')] },
        ],
      })
    const { update, say } = await republish([recursive('old')], [recursive('new')])
    await update()
    expect(await say('Hi')).toMatchObject({ messages: [shown('new')] })
  })
})

describe('a session that has come to a place which the published version lacks', () => {
  const jump = { id: 'j1', type: 'Jump', options: { groupId: 'g2' } }
  const jumping = (behind: Json[]) =>
    wholeDefinition({
      groups: [
        { id: 'g1', title: 'A', blocks: [jump, ...behind] },
        { id: 'g2', title: 'B', blocks: [textInput('i1')] },
      ],
    })
  const linking = (behind: Json[]) =>
    wholeDefinition({
      groups: [
        { id: 'g1', title: 'A', blocks: [flowLink('l1', 'current', { groupId: 'g2' }), ...behind] },
        { id: 'g2', title: 'B', blocks: [textInput('i1')] },
      ],
    })
  const wait = { id: 'i1', type: 'Wait', options: { secondsToWaitFor: 1, shouldPause: true } }

  it.each<[string, Json, Json, string]>([
    [
      'waits',
      asking(),
      wholeDefinition({ blocks: [textInput('other')] }),
      'The published version lacks what the session needs: block "i1", where it waits',
    ],
    [
      'waits for a visitor, where there is no input any more',
      asking(),
      wholeDefinition({ blocks: [bubble('i1')] }),
      'The published version lacks what the session needs: block "i1", where it waits',
    ],
    [
      'waits for an action, where there is an input now',
      wholeDefinition({ blocks: [wait] }),
      asking(),
      'The published version lacks what the session needs: block "i1", where it waits',
    ],
    [
      'goes on after a link',
      linking([bubble('b1')]),
      linking([]),
      'The published version lacks what the session needs: block "b1", where it goes on after a link',
    ],
    [
      'comes back to',
      jumping([bubble('b1')]),
      jumping([]),
      'The published version lacks what the session needs: block "b1", which a Return block leads back to',
    ],
    [
      'waits and one that it comes back to',
      jumping([bubble('b1')]),
      wholeDefinition({ blocks: [bubble('b2')] }),
      'The published version lacks what the session needs: block "b1", which a Return block leads back to; block "i1", where it waits',
    ],
  ])('%s is left as it was', async (_name, before, after, message) => {
    const { update, stored } = await republish([before], [after])
    const session = await stored()
    expect(session).toMatchObject({ state: 'waiting' })
    await expect(update()).rejects.toMatchObject({ name: 'ServiceError', code: 'CONFLICT', message })
    expect(await stored()).toEqual(session)
  })
})

describe('a place that a session comes back to', () => {
  const reply = { type: 'text', text: 'Hi' } as const
  const after = wholeDefinition({ blocks: [textInput('i1'), bubble('i2')] })

  it.each([
    ['has to be an input when a reply is waiting for it', { reply }, false],
    ['may become any block when nothing is', {}, true],
  ])('%s', async (_name, carried, isAny) => {
    const { update, stored, conversations } = await republish([asking(textInput('i2'))], [after])
    const session = (await stored()) as Session
    const marked = { ...session, returnMarks: [{ height: 0, blockId: 'i2', ...carried }] }
    await keepSession({ conversations }, marked)
    if (isAny) await update()
    else await expect(update()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await stored()).toMatchObject({ returnMarks: marked.returnMarks })
  })
})

describe('what has no flow to update', () => {
  const notFound = { code: 'NOT_FOUND', message: 'Session not found.' }
  const flow = asking(bubble('b1'))

  it('is a session that is unknown', async () => {
    await expect(doing(createTestChat([flow])).update()).rejects.toMatchObject(notFound)
  })

  it('is a session that has ended', async () => {
    const { update, say } = await republish([flow], [flow])
    await say('Hi')
    await expect(update()).rejects.toMatchObject(notFound)
  })

  it('is a preview session, of the same flow too', async () => {
    const world = createTestChat([flow])
    await startDraft(world, { flow, sessionId: 'mine' })
    await expect(doing(world, 'mine').update()).rejects.toMatchObject(notFound)
  })

  it.each([
    ['published any more', []],
    [
      'published any more, though another has its id for a public id',
      [{ ...flow, id: 'b', publicId: 'flow-1' }],
    ],
    ['there any more', [{ ...flow, isArchived: true }]],
  ])('is a session whose flow is not %s', async (_name, after) => {
    const { update, stored } = await republish([flow], after)
    const session = await stored()
    await expect(update()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Flow not found' })
    expect(await stored()).toEqual(session)
  })

  it('is not a session whose flow is closed to others', async () => {
    const { update, say } = await republish([flow], [{ ...asking(bubble('b1', 'new')), isClosed: true }])
    await update()
    expect(await say('Hi')).toMatchObject({ messages: [shown('new')] })
  })
})
