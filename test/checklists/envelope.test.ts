import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import { createProgramCache } from '../../src/chat/session/program-cache.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { defineBlock } from '../../src/engine/model/block-handler.ts'
import { flowLink, rememberingFlow, variable } from '../fixtures/short-flows.ts'
import { earlierResult, keepResult } from '../fixtures/starting.ts'
import { type Endpoint, wholeDefinition } from '../support/conformance.ts'
import { createMemoryPublishedFlows } from '../support/memory-published-flows.ts'
import { asks, edge, group, leaving, says, sets } from '../support/walk-flow.ts'
import { casesAbout, play } from './play.ts'
import {
  actionsOf,
  askedFor,
  type Json,
  logsOf,
  noSession,
  serve,
  startOf,
  succeeded,
  type Talk,
  talk,
  texts,
} from './service.ts'

const endpoints = ['public', 'preview'] as const satisfies Endpoint[]
const name = variable('Name')
const asksName = asks('i', 'vName')
const greets = { variables: [name], blocks: [asksName, says('b', 'Hi {{Name}}'), asks('last')] }
const withProgress = { theme: { general: { progressBar: { isEnabled: true } } } }
const redirect = (id: string) => ({ id, type: 'Redirect', options: { url: `https://${id}.example` } })
const pause = { id: 'w', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }
const retry = 'Invalid message. Please, try again.'

describe('1. An empty object, no body and unknown keys start a chat; a null message goes on with one, and starts none', () => {
  it.each([{}, undefined, { unknown: 1, startFrom: { type: 'group' }, flow: 'x', sessionId: 5 }])(
    'starts a published flow with the body %j',
    async (body) => {
      const service = await serve([greets])
      const answer = await service.post('/v1/flows/flow-1/startChat', body)
      expect(succeeded(answer)).toMatchObject({ sessionId: 'session-1', input: { id: 'i' } })
    },
  )

  it('starts a preview with keys that nobody knows', async () => {
    const { preview } = await serve()
    expect(succeeded(await preview(greets, { unknown: 1, resultId: 5 }))).toMatchObject({
      input: { id: 'i' },
    })
  })

  it.each(endpoints)('refuses null for the message of a start: %s', async (endpoint) => {
    const service = await serve([greets])
    const body = { message: null }
    const answer = await (endpoint === 'public' ? service.start(body) : service.preview(greets, body))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/message' }] } })
  })

  it.each([{ message: null }, {}])('goes on with the body %j', async (body) => {
    const { goOn } = await talk({ blocks: [pause, says('b')] })
    expect(texts(succeeded(await goOn(body)))).toEqual(['b'])
  })
})

describe('2. A bare text is the text message, and a start consumes it if nothing was shown, nothing is to be picked and no action is awaited', () => {
  it('takes a bare text and the object for the same', async () => {
    const [bare, whole] = await Promise.all(
      ['Hey', { type: 'text', text: 'Hey' }].map((message) => startOf(greets, { body: { message } })),
    )
    expect(bare).toEqual(whole)
    expect(texts(bare!)).toEqual(['Hi Hey'])
  })

  const items = [{ id: 'a', content: 'Hey', title: 'Hey' }]
  it.each<[string, Json[]]>([
    ['an input that comes first', [asks('i')]],
    ['an input behind logic', [sets('s', 'vName', '1'), asks('i')]],
    ['an input behind a bubble without content', [{ id: 'b', type: 'text' }, asks('i')]],
    ['an input behind an action that nobody waits for', [redirect('r'), asks('i')]],
    ['an input behind a payment, which no provider takes', [{ id: 'p', type: 'payment input' }, asks('i')]],
  ])('is consumed by %s', async (_what, blocks) => {
    const response = await startOf({ variables: [name], blocks: [...blocks, asks('next')] }, say('Hey'))
    expect(askedFor(response)).toBe('next')
  })

  it.each<[string, Json[], unknown]>([
    ['a bubble', [says('b'), asks('i')], 'i'],
    ['an embed', [{ id: 'b', type: 'embed', content: { url: 'x' } }, asks('i')], 'i'],
    ['a choice', [{ id: 'i', type: 'choice input', items }], 'i'],
    ['a choice of pictures', [{ id: 'i', type: 'picture choice input', items }], 'i'],
    ['cards', [{ id: 'i', type: 'cards', items: [{ id: 'a', title: 'Hey' }] }], 'i'],
    ['an action that is awaited', [pause, asks('i')], undefined],
  ])('is left alone by %s', async (_what, blocks, waiting) => {
    const definition = { blocks: [...blocks, asks('next')] }
    expect(await startOf(definition, say('Hey'))).toEqual(await startOf(definition))
    expect(askedFor(await startOf(definition, say('Hey')))).toBe(waiting)
  })

  // docs/behaviour.md, "Decisions": actions and logs before the input that the message answers are kept.
  it('keeps the actions that came before the input', async () => {
    const response = await startOf({ blocks: [redirect('r'), asks('i')] }, say('Hey'))
    expect(actionsOf(response)).toHaveLength(1)
  })
})

function say(message: unknown) {
  return { body: { message } }
}

describe('3. Markdown is asked for with each request, for text bubbles and for the text about a refused reply', () => {
  const definition = {
    blocks: [
      {
        id: 'b',
        type: 'text',
        content: { richText: [{ type: 'p', children: [{ text: 'x', bold: true }] }] },
      },
      { id: 'i', type: 'number input' },
      says('c'),
      asks('j'),
    ],
  }
  const rich = (text: string, more = {}) => ({
    type: 'richText',
    richText: [{ type: 'p', children: [{ text, ...more }] }],
  })
  const markdown = (text: string) => ({ type: 'markdown', markdown: text })
  const content = ({ body }: { body: Json }) => (body['messages'] as [Json])[0]['content']

  it('changes the response of its request, and no other', async () => {
    const { start, goOn } = await serve([definition])
    const inMarkdown = { textBubbleContentFormat: 'markdown' }
    expect(content(await start(inMarkdown))).toEqual(markdown('**x**'))
    expect(content(await goOn('session-1', { message: 'no' }))).toEqual(rich(retry))
    expect(content(await goOn('session-1', { message: 'no', ...inMarkdown }))).toEqual(markdown(retry))
    expect(content(await goOn('session-1', { message: '5' }))).toEqual(rich('c'))
    expect(content(await start())).toEqual(rich('x', { bold: true }))
  })

  it('leaves other bubbles alone, and a text bubble without any text', async () => {
    const image = { id: 'm', type: 'image', content: { url: 'u' } }
    const { first } = await talk({ blocks: [image, { id: 't', type: 'text', content: {} }] })
    expect(first['messages']).toEqual([
      image,
      { id: 't', type: 'text', content: { type: 'richText', richText: [] } },
    ])
  })
})

describe('4. Registering and then going on is a start in two steps', () => {
  const definition = {
    ...greets,
    settings: { metadata: { googleTagManagerId: 'GTM-1' } },
    theme: {
      general: { progressBar: { isEnabled: true }, background: { type: 'Color', content: '{{Name}}' } },
    },
    blocks: [redirect('r'), { id: 'h', type: 'hologram' }, says('b', 'Hi {{Name}}'), asksName],
  }
  const body = { prefilledVariables: { Name: 'Ada' } }
  const registering = { ...body, isOnlyRegistering: true, message: 'left alone' }

  it.each(endpoints)('gives in the end what the start would have given at once: %s', async (endpoint) => {
    const { sessionId: _1, resultId: _2, flow, ...atOnce } = await startOf(definition, { endpoint, body })
    const { first, say: next } = await talk(definition, { endpoint, body: registering })
    const { publishedAt: _3, ...unpublished } = flow as Json
    expect(first).toEqual({
      sessionId: 'session-1',
      ...(endpoint === 'public' && { resultId: 'result-1' }),
      flow: { ...unpublished, settings: definition.settings },
      messages: [],
      dynamicTheme: { backgroundUrl: 'Ada' },
    })
    expect(await next()).toEqual(atOnce)
    expect(Object.keys(atOnce)).toEqual(
      expect.arrayContaining(['messages', 'input', 'logs', 'clientSideActions', 'dynamicTheme', 'progress']),
    )
  })

  it('takes the first message for that of the start', async () => {
    const { say: next } = await talk(greets, { body: registering })
    expect(texts(await next('Grace'))).toEqual(['Hi Grace'])
  })

  it('forgets where a preview asked to start', async () => {
    const startFrom = { type: 'group', groupId: 'g2' }
    const two = { groups: [group('g1', says('one')), group('g2', says('two'))] }
    const { say: next } = await talk(two, {
      endpoint: 'preview',
      body: { isOnlyRegistering: true, startFrom },
    })
    expect(texts(await next())).toEqual(['one'])
  })

  it('begins the result with the first continue', async () => {
    const { say: next, service } = await talk(greets, { body: registering })
    expect(await service.world.results.get('flow-1', 'result-1')).toBeUndefined()
    await next()
    expect(await service.world.results.get('flow-1', 'result-1')).toMatchObject({ hasStarted: false })
  })
})

describe('5. Prefilled values go to the names that the flow declares, as text, lists or nothing, and win over all others', () => {
  // docs/behaviour.md, "Decisions": backslashes stay as they are; values are applied wherever the start leads.
  const cases = casesAbout('', 'start/prefilled-variables.json')

  it.each(cases)('%s (published)', (_description, testCase) => play(testCase, 'public'))
  it.each(cases)('%s (preview)', (_description, testCase) => play(testCase, 'preview'))

  it.each([
    [{}, { Name: 'prefilled' }, 'prefilled'],
    [{ value: 'declared' }, { Name: 'prefilled' }, 'prefilled'],
    [{ value: 'declared' }, { Name: '' }, ''],
    [{ value: 'declared' }, {}, 'declared'],
    [{}, {}, 'remembered'],
    [{}, { Name: null }, ''],
  ])(
    'prefers prefilled to declared to remembered values: %j, %j',
    async (declared, prefilledVariables, kept) => {
      const { start, world } = await serve([
        rememberingFlow({ variables: [variable('Name', declared)], blocks: [says('b', '[{{Name}}]')] }),
      ])
      const variables = [{ id: 'vName', name: 'Name', value: 'remembered' }]
      await keepResult(world.results, earlierResult({ variables }))
      const { body } = await start({ resultId: 'earlier', prefilledVariables })
      expect(texts(body)).toEqual([`[${kept}]`])
    },
  )
})

describe('6. A result is taken up again where the flow remembers its visitors, or denies in the old way that it forgets them', () => {
  const remembers = [
    { rememberUser: { isEnabled: true } },
    { rememberUser: { isEnabled: true }, isNewResultOnRefreshEnabled: true },
    { rememberUser: { isEnabled: true }, isNewResultOnRefreshEnabled: false },
    { isNewResultOnRefreshEnabled: false },
    { rememberUser: { storage: 'local' }, isNewResultOnRefreshEnabled: false },
  ]
  const forgets = [
    {},
    { rememberUser: {} },
    { isNewResultOnRefreshEnabled: true },
    { rememberUser: { isEnabled: false } },
    { rememberUser: { isEnabled: false }, isNewResultOnRefreshEnabled: true },
    { rememberUser: { isEnabled: false }, isNewResultOnRefreshEnabled: false },
  ]
  const shows = { variables: [name], blocks: [says('b', '[{{Name}}]'), asksName] }

  async function startAgain(general: Json, more: Json = {}) {
    const { start, world } = await serve([{ ...shows, settings: { general } }])
    const variables = [{ id: 'vName', name: 'Name', value: 'Ada' }]
    await keepResult(world.results, earlierResult({ variables, ...more }))
    const { status, body } = await start({ resultId: 'earlier' })
    return [status, body['resultId'], texts(body), askedFor(body)]
  }

  it.each(remembers)('by %j', async (general) => {
    expect(await startAgain(general)).toEqual([200, 'earlier', ['[Ada]'], 'i'])
  })

  it.each(forgets)('not by %j', async (general) => {
    expect(await startAgain(general)).toEqual([200, 'result-1', ['[]'], 'i'])
  })

  it.each([{ id: 'erased' }, { flowId: 'another' }])(
    'not the result of %j, without an error',
    async (more) => {
      expect(await startAgain({ rememberUser: { isEnabled: true } }, more)).toEqual([
        200,
        'result-1',
        ['[]'],
        'i',
      ])
    },
  )
})

describe('7. The dynamic theme is there, in every response, if an address begins with a placeholder', () => {
  const variables = [variable('Name', { value: 'declared' }), variable('Gone')]
  const avatar = (url: string, isEnabled?: boolean) => ({
    url,
    ...(isEnabled !== undefined && { isEnabled }),
  })

  it.each<[Json, Json | undefined]>([
    [{ chat: { hostAvatar: avatar('{{Name}}') } }, { hostAvatarUrl: 'declared' }],
    [{ chat: { hostAvatar: avatar('{{Gone}}.png') } }, { hostAvatarUrl: '.png' }],
    [{ chat: { hostAvatar: avatar('{{Name}}', false) } }, undefined],
    [{ chat: { hostAvatar: avatar('https://a.example/{{Name}}') } }, undefined],
    [{ chat: { hostAvatar: avatar(' {{Name}}') } }, undefined],
    [{ chat: { guestAvatar: avatar('{{Name}}', true) } }, { guestAvatarUrl: 'declared' }],
    [{ chat: { guestAvatar: avatar('{{Name}}') } }, undefined],
    [{ general: { background: { type: 'Color', content: '{{Name}}' } } }, { backgroundUrl: 'declared' }],
    [{ general: { background: { type: 'Image', content: 'x{{Name}}' } } }, undefined],
    [{}, undefined],
  ])('%j gives %j', async (theme, dynamicTheme) => {
    const { first, say: next } = await talk({ variables, theme, blocks: [says('b'), asks('i')] })
    expect([first['dynamicTheme'], (await next('x'))['dynamicTheme']]).toEqual([dynamicTheme, dynamicTheme])
  })

  it('has the values of the end of each turn, refused replies and the last turn included', async () => {
    const theme = { chat: { hostAvatar: avatar('{{Name}}') } }
    const blocks = [{ id: 'i', type: 'number input', options: { variableId: 'vName' } }, says('b')]
    const { first, say: next } = await talk({ variables, theme, blocks })
    const seen = [first, await next('no'), await next('5')].map((response) => response['dynamicTheme'])
    expect(seen).toEqual(['declared', 'declared', '5'].map((hostAvatarUrl) => ({ hostAvatarUrl })))
  })
})

describe('8. The progress is that of the worked examples', () => {
  async function progressAlong(definition: Json, replies: string[]) {
    const { first, say: next } = await talk({ ...withProgress, ...definition })
    const seen = [first['progress']]
    for (const reply of replies) seen.push((await next(reply))['progress'])
    return seen.map((progress) => Number(Number(progress).toFixed(2)))
  }
  const branches = {
    groups: [
      group('g1', {
        id: 'a',
        type: 'choice input',
        items: [
          { id: 'left', content: 'left', outgoingEdgeId: 'e-left' },
          { id: 'right', content: 'right', outgoingEdgeId: 'e-right' },
        ],
      }),
      group('g2', asks('l1')),
      group('g3', asks('r1'), asks('r2'), asks('r3')),
    ],
    edges: [edge('e-left', 'g2'), edge('e-right', 'g3')],
  }

  it.each<[string, Json, string[], number[]]>([
    [
      'three inputs in line',
      { blocks: [asks('a'), asks('b'), asks('c')] },
      ['1', '2', '3'],
      [25, 50, 75, 100],
    ],
    ['a choice, the left branch', branches, ['left', '1'], [16.67, 66.67, 100]],
    ['a choice, the right branch', branches, ['right', '1', '2', '3'], [16.67, 40, 60, 80, 100]],
  ])('of %s', async (_what, definition, replies, progress) => {
    expect(await progressAlong(definition, replies)).toEqual(progress)
  })
})

describe('9. A refused reply is told by one bubble with the id of the input, and changes nothing', () => {
  it.each(endpoints)('asks the same again, at the same progress: %s', async (endpoint) => {
    const email = { id: 'i', type: 'email input', options: { variableId: 'vName', labels: { button: 'Go' } } }
    const definition = {
      ...withProgress,
      variables: [name],
      blocks: [redirect('r'), email, says('b', '{{Name}}')],
    }
    const { first, say: next, service } = await talk(definition, { endpoint })
    const refused = await next('no address')
    expect(refused).toEqual({
      messages: [{ id: 'i', type: 'text', content: { type: 'markdown', markdown: expect.any(String) } }],
      input: first['input'],
      progress: 50,
    })
    expect(first['progress']).toBe(50)
    const result = await service.world.results.get('flow-1', 'result-1')
    if (endpoint === 'public') expect(result).toMatchObject({ answers: [], variables: [], hasStarted: false })
    expect(texts(await next('Ada@a.example'))).toEqual(['ada@a.example'])
  })
})

describe('10. A session that has ended is gone, and a preview starts over on its session id', () => {
  // docs/behaviour.md, "Decisions": continuing a session that has ended is a 404, for a preview as for a live one.
  it.each(endpoints)('answers 404 behind the end: %s', async (endpoint) => {
    const { say: next, goOn } = await talk({ blocks: [asks('i'), says('b')] }, { endpoint })
    await next('x')
    for (const message of ['x', undefined, { type: 'command', command: 'help' }]) {
      expect(await goOn(message === undefined ? {} : { message })).toMatchObject(noSession)
    }
  })

  it('overwrites what was there, whatever its state', async () => {
    const { preview, goOn } = await serve()
    const mine = { sessionId: 'mine' }
    await preview({ blocks: [asks('i'), says('old')] }, mine)
    expect((await preview({ blocks: [asks('j'), says('new')] }, mine)).body).toMatchObject(mine)
    expect(texts(succeeded(await goOn('mine', { message: 'x' })))).toEqual(['new'])
    expect(await goOn('mine')).toMatchObject(noSession)
    await preview({ blocks: [asks('k'), says('newest')] }, mine)
    expect(texts(succeeded(await goOn('mine', { message: 'x' })))).toEqual(['newest'])
  })

  it('leaves a live session of that id alone', async () => {
    const { start, preview, goOn } = await serve([greets])
    const { sessionId } = (await start()).body
    expect((await preview({ blocks: [says('draft')] }, { sessionId })).status).toBe(200)
    expect(texts(succeeded(await goOn(sessionId, { message: 'Ada' })))).toEqual(['Hi Ada'])
  })
})

describe('11. A flow that is closed is a 400, one that is unknown or archived a 404, a foreign origin a 403', () => {
  const allowing = (...allowedOrigins: string[]) => ({ settings: { security: { allowedOrigins } } })
  const guarded = allowing('https://a.example')
  const foreign = { origin: 'https://b.example' }

  it.each<[string, Json, number, string, string]>([
    ['closed', { isClosed: true }, 400, 'BAD_REQUEST', 'This bot is now closed'],
    [
      'closed, in its own words',
      { isClosed: true, settings: { general: { systemMessages: { botClosed: '{{Name}} sleeps' } } } },
      400,
      'BAD_REQUEST',
      '{{Name}} sleeps',
    ],
    ['archived', { isArchived: true }, 404, 'NOT_FOUND', 'Flow not found'],
    ['archived and closed', { isArchived: true, isClosed: true }, 404, 'NOT_FOUND', 'Flow not found'],
    ['unknown', { id: 'another' }, 404, 'NOT_FOUND', 'Flow not found'],
    ['closed to this origin', guarded, 403, 'FORBIDDEN', 'Origin not allowed'],
    [
      'closed, and to this origin',
      { ...guarded, isClosed: true },
      400,
      'BAD_REQUEST',
      'This bot is now closed',
    ],
  ])('refuses a flow that is %s', async (_what, more, status, code, message) => {
    const { start } = await serve([{ ...greets, ...more }])
    expect(await start({}, foreign)).toMatchObject({ status, body: { code, message } })
  })

  // docs/behaviour.md, "Decisions": flows have no owner who could be suspended. An operator closes or archives them.
  it('does not know owners of flows: what says that one is suspended is a key like any other', async () => {
    const { start } = await serve([
      { ...greets, riskLevel: 100, workspace: { isQuarantined: true, isSuspended: true } },
    ])
    expect((await start()).status).toBe(200)
  })

  it.each<[string, Json, Record<string, string>]>([
    ['no origin is named', guarded, {}],
    ['the origin is listed', allowing('https://x.example', 'https://b.example'), foreign],
    ['no origins are listed', allowing(), foreign],
    ['the flow says nothing', {}, foreign],
  ])('starts and goes on when %s', async (_what, more, headers) => {
    const { start, goOn } = await serve([{ ...greets, ...more }])
    expect((await start({}, headers)).status).toBe(200)
    expect((await goOn('session-1', { message: 'Ada' }, headers)).status).toBe(200)
  })

  it('compares origins as they are, when a conversation goes on too', async () => {
    const { start, goOn } = await serve([{ ...greets, ...guarded }])
    for (const origin of [
      'https://A.example',
      'https://a.example/',
      'http://a.example',
      'https://a.example:8080',
    ]) {
      expect((await start({}, { origin })).status).toBe(403)
    }
    await start()
    expect((await goOn('session-1', { message: 'Ada' }, foreign)).status).toBe(403)
    expect(texts(succeeded(await goOn('session-1', { message: 'Ada' })))).toEqual(['Hi Ada'])
  })

  it('asks no origin of a preview', async () => {
    const { preview } = await serve()
    expect((await preview({ ...greets, ...guarded }, {}, foreign)).status).toBe(200)
  })
})

describe('12. A flow has the same conversation in the shape of version 3 and in that of version 6, but for three things', () => {
  const read = (file: string): Json & { groups: { id: string }[] } =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures', file), 'utf8'))
  const current = read('twin-of-version-6.json')
  const twins = [read('twin-of-version-3.json'), current]
  const replies = [
    'nonsense',
    '5',
    'a@a.example',
    'https://a.example/a.png',
    '2026-01-01 to 2026-01-02',
    '9:30',
    '+33612345678',
  ]

  /** What is said on both sides, until it is over or no reply is left. */
  async function conversationIn(flow: Json, groupId: string) {
    const startFrom = { type: 'group', groupId }
    const { first, say: next } = await talk(flow, { endpoint: 'preview', body: { startFrom } })
    const { flow: { version: _version, ...shown } = {} as Json, ...rest } = first as { flow: Json } & Json
    const said: Json[] = [{ shown, ...rest }]
    const offered = JSON.stringify(rest).match(/(?<="(?:content|title|text)":")[^"]+(?=")/g) ?? []
    for (const reply of [...replies, ...offered]) {
      if (!said.at(-1)?.['input']) break
      said.push(await next(reply))
    }
    return said
  }

  it.each(current.groups.map(({ id }) => id))('from the group %s on', async (groupId) => {
    const [before, after] = await Promise.all(twins.map((flow) => conversationIn(flow, groupId)))
    expect(before).toEqual(after)
    expect(before?.at(-1)).not.toHaveProperty('input')
  })

  const inVersion = (version: string, blocks: Json[], more: Json = {}) => {
    const entry = {
      id: 'g0',
      title: 'Start',
      blocks: [{ id: 's', type: 'start', outgoingEdgeId: 'e-start' }],
    }
    const groups = [...(version === '3' ? [entry] : []), group('g1', ...blocks)]
    return { version, groups, edges: [edge('e-start', 'g1')], ...more }
  }
  const list = variable('List', { value: ['a', 'b'] })

  it.each([
    ['3', 'b'],
    ['6', '["a","b"]'],
  ])('but for a list in a bubble: version %s shows %s', async (version, shown) => {
    const definition = inVersion(version, [says('b', '{{List}}')], { variables: [list] })
    expect(texts(await startOf(definition))).toEqual([shown])
  })

  it.each([
    ['3', 'inner'],
    ['6', 'outer'],
  ])('but for a link that says nothing about merging: version %s shows %s', async (version, shown) => {
    const linked = [{ id: 'other', variables: [name], blocks: [sets('s', 'vName', '"inner"')] }]
    const blocks = [flowLink('l', 'other'), says('b', '{{Name}}')]
    const definition = inVersion(version, blocks, { variables: [variable('Name', { value: 'outer' })] })
    expect(texts(await startOf(definition, { linked }))).toEqual([shown])
  })

  it.each(['3', '6', '6.1'])(
    'but for the defaults of the theme, which the client fills in by version %s',
    async (version) => {
      const { flow } = await startOf(
        inVersion(version, [says('b')], { theme: { chat: { roundness: 'none' } } }),
      )
      expect(flow).toMatchObject({ version, theme: { chat: { roundness: 'none' } } })
      expect(Object.keys((flow as Json)['theme'] as Json)).toEqual(['chat'])
    },
  )
})

describe('13. Bubbles leave without their edge, and what is absent is missing instead of null', () => {
  const url = 'https://a.example/x'
  const bubbles: Json[] = [
    says('t'),
    { id: 'm', type: 'image', content: { url } },
    { id: 'v', type: 'video', content: { url, type: 'url' } },
    { id: 'e', type: 'embed', content: { url } },
    { id: 'a', type: 'audio', content: { url } },
  ]
  const definition = {
    variables: [name],
    blocks: [...bubbles.map((bubble) => ({ ...leaving(bubble, 'e-gone'), label: 'Mine' })), asksName],
  }

  it.each(endpoints)('in every response of a conversation: %s', async (endpoint) => {
    const { first, say: next } = await talk(definition, {
      endpoint,
      body: { prefilledVariables: { Name: null } },
    })
    expect(first['messages']).toEqual([
      { ...bubbles[0], content: { type: 'markdown', markdown: 't' } },
      ...bubbles.slice(1),
    ])
    expect(first['input']).toEqual(asksName)
    for (const response of [first, await next(), await next('x')]) {
      expect(JSON.stringify(response)).not.toContain('null')
      for (const key of ['logs', 'clientSideActions', 'dynamicTheme', 'progress', 'lastMessageNewFormat']) {
        expect(response).not.toHaveProperty(key)
      }
    }
  })
})

describe('14. Four logs about requests and mails are for the author: stored, shown in a preview, kept from visitors', () => {
  const withheld = [
    'Webhook successfuly executed.',
    'Webhook returned an error.',
    'Email successfully sent',
    'Email not sent',
  ]
  const told = ['Email not sent.', 'email not sent', 'Something else']
  const logs = [...withheld, ...told].map((description) => ({ status: 'info' as const, description }))
  /** A block that tells of what this server does not do yet. */
  const chatty = defineBlock<{ id: string; type: string }, undefined>({
    types: ['Webhook'],
    kind: 'integration',
    compile: () => undefined,
    run: () => ({ logs }),
  })
  const definition = wholeDefinition({
    blocks: [{ id: 'h', type: 'Webhook' }, asks('i'), { id: 'h2', type: 'Webhook' }],
  })

  function serveChatty() {
    const programs = createProgramCache({
      registry: new Map(blockRegistry).set('Webhook', chatty),
      maxBytes: 1e6,
    })
    const { program } = programs.prepare(definition)
    const published = createMemoryPublishedFlows([
      {
        publicId: 'flow-1',
        flow: readDefinition(definition),
        program,
        publishedAt: '2026-11-20T08:00:00.000Z',
        isClosed: false,
        isArchived: false,
      },
    ])
    return serve([], { programs, published })
  }
  const descriptions = ({ body }: { body: Json }) => logsOf(body).map(({ description }) => description)

  it('keeps them from visitors, and stores them', async () => {
    const { start, goOn, world } = await serveChatty()
    expect(descriptions(await start())).toEqual(told)
    expect(descriptions(await goOn('session-1', { message: 'x' }))).toEqual(told)
    const result = await world.results.get('flow-1', 'result-1')
    expect(result?.logs.map(({ description }) => description)).toEqual([
      ...withheld,
      ...told,
      ...withheld,
      ...told,
    ])
  })

  it('shows them in a preview', async () => {
    const { preview, goOn } = await serveChatty()
    expect(descriptions(await preview(definition))).toEqual([...withheld, ...told])
    expect(descriptions(await goOn('session-1', { message: 'x' }))).toEqual([...withheld, ...told])
  })
})

describe('15. An action names the last bubble of its response if there was one, and the action that is awaited is the last', () => {
  const named = (response: Json) =>
    actionsOf(response).map(({ type, lastBubbleBlockId, expectsDedicatedReply }) => [
      type,
      lastBubbleBlockId,
      expectsDedicatedReply,
    ])
  const talkOf = (): Promise<Talk> =>
    talk({
      blocks: [redirect('r'), says('b'), redirect('s'), pause, says('c'), asks('i'), redirect('t'), pause],
    })

  it('in the first response and in the next', async () => {
    const { first, say: next } = await talkOf()
    expect(named(first)).toEqual([
      ['redirect', undefined, undefined],
      ['redirect', 'b', undefined],
      ['wait', 'b', true],
    ])
    expect(first).not.toHaveProperty('input')
    expect([named(await next()), named(await next('x'))]).toEqual([
      [],
      [
        ['redirect', undefined, undefined],
        ['wait', undefined, true],
      ],
    ])
  })
})
