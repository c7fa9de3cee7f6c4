import { describe, expect, it } from 'vitest'
import {
  bubble,
  flowLink,
  rememberingFlow,
  setVariable,
  textInput,
  variable,
} from '../../fixtures/short-flows.ts'
import { startLive } from '../../fixtures/starting.ts'
import { createVisitedWorld, linesOf, publicationOf, visitAlone } from '../../fixtures/visited-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { createTestChat, sessionOf } from '../../support/start.ts'

const markdown = { textBubbleContentFormat: 'markdown' }
const minute = 60_000

const group = (id: string, blocks: Json[]): Json => ({ id, title: id, blocks })

/** Asks for a name, and keeps the names that it was told in a list that is not empty from the start. */
const collecting = wholeDefinition({
  variables: [variable('Name'), variable('Names', { value: ['Nobody'] })],
  blocks: [
    bubble('b1', 'Who is there?'),
    textInput('i1', 'vName'),
    setVariable('s1', 'vNames', { type: 'Append value(s)', item: '{{Name}}' }),
    bubble('b2', 'Hi {{Names}}'),
    textInput('i2'),
  ],
})

/** The same through a link of the flow to itself. */
const collectingBehindLink = wholeDefinition({
  variables: [variable('Name'), variable('Names', { value: ['Nobody'] })],
  groups: [
    group('g1', [bubble('b1', 'Who is there?'), flowLink('l1', 'current', { groupId: 'g2' })]),
    group('g2', [
      textInput('i1', 'vName'),
      setVariable('s1', 'vNames', { type: 'Append value(s)', item: '{{Name}}' }),
      bubble('b2', 'Hi {{Names}}'),
      textInput('i2'),
    ]),
  ],
})

const sameForEverybody: [string, Json][] = [
  ['that asks', collecting],
  ['that links to itself', collectingBehindLink],
  ['that ends at once', wholeDefinition({ blocks: [bubble('b1', 'Grüße 🎈')] })],
  ['of nothing', wholeDefinition({ groups: [] })],
  ['that remembers its visitors', rememberingFlow({ blocks: [textInput('i1')] })],
  [
    'that writes variables',
    wholeDefinition({
      variables: [variable('A', { value: 'x' }), variable('B'), variable('C', { isSessionVariable: true })],
      blocks: [
        setVariable('s1', 'vB', { expressionToEvaluate: '"{{A}}".toUpperCase() + (1 + 1)' }),
        setVariable('s2', 'vC', { type: 'Append value(s)', item: '{{B}}' }),
        bubble('b1', '{{A}} {{B}} {{C}}'),
        textInput('i1', 'vB'),
      ],
    }),
  ],
  [
    'that keeps a transcript',
    wholeDefinition({
      variables: [variable('T')],
      blocks: [bubble('b1'), setVariable('s1', 'vT', { type: 'Transcript' }), textInput('i1', 'vT')],
    }),
  ],
  [
    'whose look depends on variables and whose progress is told',
    wholeDefinition({
      variables: [variable('Url', { value: 'https://a.example/a.png' })],
      theme: {
        customCss: '/* {{Url}} */',
        general: { progressBar: { isEnabled: true } },
        chat: { hostAvatar: { url: '{{Url}}' } },
      },
      settings: { metadata: { title: '{{Url}}' } },
      blocks: [textInput('i1', 'vUrl')],
    }),
  ],
  [
    'that keeps the client busy',
    wholeDefinition({
      settings: { metadata: { customHeadCode: '<script>1</script>' } },
      blocks: [bubble('b1'), { id: 'w1', type: 'Wait', options: { secondsToWaitFor: '1' } }, textInput('i1')],
    }),
  ],
  [
    'with problems of its own',
    wholeDefinition({
      blocks: [
        { id: 'h1', type: 'hologram' },
        { id: 'j1', type: 'Jump', options: { groupId: 'gone' } },
      ],
    }),
  ],
]

describe.each(sameForEverybody)('an opening of a flow %s', (_name, definition) => {
  it('is for the second visitor and the third what it would be if there had been no visitor before', async () => {
    const world = createVisitedWorld([definition])
    for (const nth of [1, 2, 3]) {
      expect(await world.visit(nth)).toEqual(await visitAlone([definition], [nth]))
    }
    expect(world.walks()).toEqual([true, false, false])
  })
})

describe('an opening', () => {
  it('has a session and a result of its own for each visitor', async () => {
    const world = createVisitedWorld([collecting])
    const first = await world.visit(1)
    const second = await world.visit(2)
    const now = fixedNow + 2 * minute
    expect(second.answer).toEqual({ ...(first.answer as Json), sessionId: 'session-2', resultId: 'result-2' })
    expect(second.session).toMatchObject({
      id: 'session-2',
      createdAt: now,
      state: 'waiting',
      queue: [{ resultId: 'result-2' }],
    })
    expect(second.results).toMatchObject([
      { id: 'result-2', createdAt: now, updatedAt: now, lastChatSessionId: 'session-2', hasStarted: false },
    ])
    expect(second.results[0]?.transcript).toEqual([{ role: 'assistant', text: 'Who is there?' }])
  })

  it('has no result where none are kept', async () => {
    const world = createVisitedWorld([collecting], () => ({ areResultsRead: false }))
    for (const nth of [1, 2]) expect(await world.visit(nth)).toMatchObject({ results: [] })
    expect(world.walks()).toEqual([true, false])
    expect(await world.results.get('flow-1', 'result-2')).toBeUndefined()
  })

  it.each([
    ['plainly', collecting],
    ['behind a link', collectingBehindLink],
  ])('is gone on with by each visitor alone: %s', async (_name, definition) => {
    const world = createVisitedWorld([definition])
    for (const nth of [1, 2]) await world.visit(nth, markdown)
    const greeted = await world.goOn(1, { ...markdown, message: 'Ada' })
    expect(linesOf(greeted)).toEqual(['Hi ["Nobody","Ada"]'])
    expect(await world.visit(3, markdown)).toEqual(await visitAlone([definition], [3, markdown]))
    expect(linesOf(await world.goOn(2, { ...markdown, message: 'Grace' }))).toEqual(['Hi ["Nobody","Grace"]'])
    expect(linesOf(await world.goOn(3, { ...markdown, message: 'Alan' }))).toEqual(['Hi ["Nobody","Alan"]'])
    const kept = await Promise.all([1, 2, 3].map((nth) => world.results.get('flow-1', `result-${nth}`)))
    expect(kept.map((result) => result?.variables.at(-1)?.value)).toEqual([
      ['Nobody', 'Ada'],
      ['Nobody', 'Grace'],
      ['Nobody', 'Alan'],
    ])
  })

  it('is counted as a turn each time, with the blocks that it took', async () => {
    const world = createVisitedWorld([collecting])
    for (const nth of [1, 2, 3]) await world.visit(nth)
    const counted = { kind: 'live', entry: 'start', blocks: 2 }
    expect(world.turns).toMatchObject([counted, { ...counted, engineMs: 0 }, { ...counted, engineMs: 0 }])
  })

  it('is the same for visitors who come at once', async () => {
    const { chat } = createTestChat([collecting])
    const answers = await Promise.all([1, 2, 3].map(() => startLive({ chat })))
    const [first] = answers
    const [one, two, three] = answers.map(({ sessionId: _, resultId: __, ...rest }) => rest)
    expect(first).toMatchObject({ messages: [{ id: 'b1' }], input: { id: 'i1' } })
    expect([two, three]).toEqual([one, one])
    expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(3)
  })

  it('leaves no session behind when its result can not be kept', async () => {
    const { results } = createTestChat()
    const away = new Error('the store is away')
    const failing = (nth: () => number) => ({
      results: {
        ...results,
        apply(changes: Parameters<typeof results.apply>[0]) {
          if (nth() === 2) throw away
          results.apply(changes)
        },
      },
    })
    const world = createVisitedWorld([collecting], failing)
    await world.visit(1)
    await expect(world.visit(2)).rejects.toBe(away)
    expect(await sessionOf(world, 'session-2')).toBeUndefined()
    expect(await world.visit(3)).toMatchObject({ answer: { sessionId: 'session-3' } })
  })
})

describe('what decides whether a visitor may start', () => {
  const guarded = { ...collecting, settings: { security: { allowedOrigins: ['https://a.example'] } } }

  it('is asked of everybody: the origin', async () => {
    const { chat } = createTestChat([guarded])
    await startLive({ chat })
    const foreign = { origin: 'https://b.example' }
    await expect(startLive({ chat }, {}, foreign)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await startLive({ chat })).toMatchObject({ messages: [{ id: 'b1' }] })
  })
})

describe('a flow that is published anew', () => {
  /** A world whose flow is what was published last. */
  async function publishing(first: Json) {
    const plain = createTestChat().published
    let current = await publicationOf(first)
    const published = { ...plain, byPublicId: async () => current, byFlowId: async () => current }
    const world = createVisitedWorld([first], () => ({ published }))
    return {
      ...world,
      async publish(definition: Json, more: Partial<typeof current> = {}) {
        current = { ...(await publicationOf(definition)), ...more }
      },
    }
  }

  it('opens as it is now', async () => {
    const world = await publishing(collecting)
    for (const nth of [1, 2]) await world.visit(nth)
    const changed = wholeDefinition({ blocks: [bubble('new', 'Now'), textInput('i1')] })
    await world.publish(changed)
    expect(await world.visit(3)).toEqual(await visitAlone([changed], [3]))
    expect(await world.visit(4)).toEqual(await visitAlone([changed], [4]))
    expect(world.walks()).toEqual([true, false, true, false])
  })

  it('opens anew even when nothing changed but the moment', async () => {
    const world = await publishing(collecting)
    for (const nth of [1, 2]) await world.visit(nth)
    const publishedAt = '2026-11-21T09:00:00.000Z'
    await world.publish(collecting, { publishedAt })
    for (const nth of [3, 4]) {
      expect(await world.visit(nth)).toMatchObject({ answer: { flow: { publishedAt } } })
    }
    expect(world.walks()).toEqual([true, false, true, false])
  })

  it('leaves those on their version who started before', async () => {
    const world = await publishing(collecting)
    const first = [await world.visit(1), await world.visit(2)]
    await world.publish({ ...collecting, theme: { customCss: 'new' } })
    const then = [await world.visit(3), await world.visit(4)]
    const [one, two, three, four] = [...first, ...then].map(({ session }) => session?.queue[0]?.program)
    expect([two, four]).toEqual([one, three])
    expect(three).not.toBe(one)
  })

  it.each([
    ['closed', { isClosed: true }, 'BAD_REQUEST: This bot is now closed'],
    ['archived', { isArchived: true }, 'NOT_FOUND: Flow not found'],
  ])('opens no more when it is %s', async (_name, more, answer) => {
    const world = await publishing(collecting)
    for (const nth of [1, 2]) await world.visit(nth)
    await world.publish(collecting, more)
    expect(await world.visit(3)).toEqual({ answer, session: undefined, results: [] })
  })
})
