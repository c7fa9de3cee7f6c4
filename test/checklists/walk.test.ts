import { describe, expect, it } from 'vitest'
import type { Value } from '../../src/engine/values/value.ts'
import type { Mailer, ResolvedMail } from '../../src/ports.ts'
import { annsValues } from '../engine/javascript/code-world.ts'
import { flowLink, variable } from '../fixtures/short-flows.ts'
import { startLive } from '../fixtures/starting.ts'
import { comparedWith, comparisons } from '../fixtures/tables/comparisons.ts'
import { evaluated, expressionValues, takenForText } from '../fixtures/tables/expressions.ts'
import { keptAsText, readAsOthers } from '../fixtures/tables/guesses.ts'
import { inlineCode, inlineCodeBeyond, placeholders } from '../fixtures/tables/placeholders.ts'
import { writtenObjects, writtenValues } from '../fixtures/tables/written-values.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { nowhere } from '../support/nowhere.ts'
import { createTestChat } from '../support/start.ts'
import { asks, edge, group, leaving, says, sets } from '../support/walk-flow.ts'
import { places, textsInPlaces } from './places.ts'
import { casesAbout, play } from './play.ts'
import {
  actionsOf,
  askedFor,
  begin,
  type Json,
  logsOf,
  noSession,
  type Opening,
  serve,
  startOf,
  succeeded,
  talk,
  texts,
} from './service.ts'

const endpoints = ['public', 'preview'] as const
const name = variable('Name')
const redirect = (id: string) => ({ id, type: 'Redirect', options: { url: `https://${id}.example` } })
const jump = (id: string, groupId: string, blockId?: string) => ({
  id,
  type: 'Jump',
  options: { groupId, ...(blockId && { blockId }) },
})
const returns = (id: string) => ({ id, type: 'Return' })
const pause = { id: 'w', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }
const client = (id: string, variableId: string) => ({
  id,
  type: 'Set variable',
  options: { variableId, expressionToEvaluate: '1', isExecutedOnClient: true },
})

/** What the bubbles of the first response say. */
const textsOf = async (definition: Json, opening?: Opening) => texts(await startOf(definition, opening))

/** Declares variables by their names. */
const declare = (values: Record<string, unknown>) =>
  Object.entries(values).map(([key, value]) => variable(key, { value }))

/** What the result of a live start holds under `T`, which held something before; and the first response. */
async function writtenTo(blocks: Json[], values: Record<string, Value> = {}) {
  const { response, world } = await begin({ variables: declare({ ...values, T: 'before' }), blocks })
  const result = await world.results.get('flow-1', 'result-1')
  const value = result?.variables.find((kept) => kept.name === 'T')?.value ?? null
  return { value, logs: logsOf(response) }
}

describe('1. An edge is found by its id, and where it says to come from is never read', () => {
  const walked = (from: (id: string) => Json) => {
    const edges = [edge('e-start', 'g1'), edge('e-item', 'g2'), edge('e-own', 'g3')]
    const item = {
      id: 'q',
      outgoingEdgeId: 'e-item',
      content: { comparisons: [{ id: 'q1', variableId: 'vName', comparisonOperator: 'Is empty' }] },
    }
    return textsOf({
      variables: [name],
      groups: [
        group('g1', says('a'), { id: 'c', type: 'Condition', items: [item] }),
        group('g2', leaving(says('b'), 'e-own')),
        group('g3', says('c')),
        group('g4', says('never')),
      ],
      edges: [
        ...edges.map((each) => ({ ...each, ...from(String(each['id'])) })),
        { id: 'e-stray', from: { blockId: 'a' }, to: { groupId: 'g4' } },
      ],
    })
  }

  it.each<[string, (id: string) => Json]>([
    ['is absent', () => ({})],
    ['names another block', () => ({ from: { blockId: 'elsewhere', itemId: 'x' } })],
    ['names an event', () => ({ from: { eventId: 'nobody' } })],
  ])('when it %s', async (_what, from) => {
    expect(await walked(from)).toEqual(['a', 'b', 'c'])
  })
})

describe('2. The nine worked examples of a walk come out as told', () => {
  const examples = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) => casesAbout(`W${number}:`))

  it.each(examples)('%s (published)', (_description, testCase) => play(testCase, 'public'))
  it.each(examples)('%s (preview)', (_description, testCase) => play(testCase, 'preview'))
})

describe('3. In the middle of a group the edge of a bubble is ignored, and that of a logic block is taken', () => {
  const walked = (...blocks: Json[]) =>
    textsOf({
      variables: [name],
      groups: [group('g1', ...blocks), group('g2', says('x'))],
      edges: [edge('e', 'g2')],
    })

  it('whatever follows', async () => {
    expect(await walked(leaving(says('a'), 'e'), says('b'))).toEqual(['a', 'b'])
    expect(await walked(says('a'), leaving(sets('s', 'vName', '1'), 'e'), says('b'))).toEqual(['a', 'x'])
    expect(await walked(says('a'), leaving(redirect('r'), 'e'), says('b'))).toEqual(['a', 'x'])
  })

  it('but behind the last block the edge of a bubble counts', async () => {
    expect(await walked(says('a'), leaving(says('b'), 'e'))).toEqual(['a', 'b', 'x'])
  })
})

describe('4. The first item of a condition that holds decides; without an edge the path ends there; when none holds, the edge of the block counts, else the block below', () => {
  const item = (id: string, value: string, outgoingEdgeId?: string) => ({
    id,
    content: { comparisons: [{ id, variableId: 'vName', comparisonOperator: 'Equal to', value }] },
    ...(outgoingEdgeId && { outgoingEdgeId }),
  })
  const walked = (items: Json[], own: Json = {}) =>
    textsOf({
      variables: [variable('Name', { value: 'Ada' })],
      groups: [
        group('g1', { id: 'c', type: 'Condition', items, ...own }, says('below')),
        group('g2', says('second')),
        group('g3', says('third')),
      ],
      edges: [edge('e2', 'g2'), edge('e3', 'g3')],
    })

  it.each<[string, Json[], Json, string[]]>([
    [
      'the first that holds',
      [item('a', 'x', 'e3'), item('b', 'Ada', 'e2'), item('c', 'Ada', 'e3')],
      {},
      ['second'],
    ],
    [
      'one that holds without an edge',
      [item('a', 'Ada'), item('b', 'Ada', 'e2')],
      { outgoingEdgeId: 'e3' },
      [],
    ],
    ['none, with an edge of the block', [item('a', 'x', 'e2')], { outgoingEdgeId: 'e3' }, ['third']],
    ['none, without one', [item('a', 'x', 'e2')], {}, ['below']],
  ])('%s', async (_what, items, own, shown) => {
    expect(await walked(items, own)).toEqual(shown)
  })
})

describe('5. The way of an A/B test is drawn: below the percentage A if it has an edge, else B', () => {
  const walked = (draw: number, options: Json = {}, edges = ['e-a', 'e-b']) =>
    textsOf(
      {
        groups: [
          group(
            'g1',
            {
              id: 't',
              type: 'AB test',
              items: edges.map((outgoingEdgeId, index) => ({
                id: `i${index}`,
                path: 'ab'[index],
                ...(outgoingEdgeId && { outgoingEdgeId }),
              })),
              options,
            },
            says('below'),
          ),
          group('g2', says('a')),
          group('g3', says('b')),
        ],
        edges: [edge('e-a', 'g2'), edge('e-b', 'g3')],
      },
      { random: [draw / 100] },
    )

  it.each<[number, Json, string[], string]>([
    [49.99, {}, ['e-a', 'e-b'], 'a'],
    [50, {}, ['e-a', 'e-b'], 'b'],
    [0, {}, ['', 'e-b'], 'b'],
    [99.99, { aPercent: 100 }, ['e-a', 'e-b'], 'a'],
    [0, { aPercent: 100 }, ['', 'e-b'], 'b'],
    [0, { aPercent: 0 }, ['e-a', 'e-b'], 'b'],
    [0, { aPercent: 0 }, ['e-a', ''], 'below'],
  ])('%d with %j and the edges %j leads to %s', async (draw, options, edges, shown) => {
    expect(await walked(draw, options, edges)).toEqual([shown])
  })
})

describe('6. A jump leads to a group by id or by a title that a variable holds, or to a block; to nothing, it ends the path with a log', () => {
  const walked = (target: Json) =>
    startOf({
      variables: [variable('Title', { value: 'G2' }), variable('Unset')],
      groups: [
        group('g1', says('a'), target, says('below')),
        group('g2', says('top'), says('x')),
        { ...group('g3', says('namesake')), title: 'G2' },
      ],
    })

  it.each<[string, Json, string[]]>([
    ['a group', jump('j', 'g2'), ['a', 'top', 'x']],
    ['the first group of a title', jump('j', '{{Title}}'), ['a', 'top', 'x']],
    ['a block', jump('j', 'g2', 'x'), ['a', 'x']],
    ['a block of a group by title', jump('j', '{{Title}}', 'x'), ['a', 'x']],
  ])('to %s', async (_what, target, shown) => {
    const response = await walked(target)
    expect([texts(response), logsOf(response)]).toEqual([shown, []])
  })

  it.each<[string, Json]>([
    ['a group that does not exist', jump('j', 'gone')],
    ['a title instead of an id', jump('j', 'G2')],
    ['a variable without a title', jump('j', '{{Unset}}')],
    ['a block of another group', jump('j', 'g2', 'a')],
  ])('to %s', async (_what, target) => {
    const response = await walked(target)
    expect(texts(response)).toEqual(['a'])
    expect(logsOf(response)).toMatchObject([{ status: 'error', context: 'Jump' }])
  })
})

describe('7. A return leads back to the block behind the jump, does nothing without one, and undoes nested jumps one by one', () => {
  // docs/behaviour.md, "Decisions": several jumps before their returns are undone, the last one first.
  it.each<[string, Json[], string[]]>([
    [
      'to the next block',
      [group('g1', says('1'), jump('j', 'g2'), says('2')), group('g2', says('b'), returns('r'), says('x'))],
      ['1', 'b', '2'],
    ],
    ['nowhere', [group('g1', says('1'), returns('r'), says('2'))], ['1', '2']],
    [
      'from nested jumps',
      [
        group('g1', says('1'), jump('j', 'g2'), says('4')),
        group('g2', says('2'), jump('k', 'g3'), says('3'), returns('r')),
        group('g3', says('deep'), returns('s')),
      ],
      ['1', '2', 'deep', '3', '4'],
    ],
  ])('%s', async (_what, groups, shown) => {
    expect(await textsOf({ groups })).toEqual(shown)
  })
})

describe('8. A link into the flow itself comes back along its own edge, else at the block below; one to an unknown flow is a log', () => {
  const walked = (link: Json) =>
    startOf({
      groups: [group('g1', says('1'), link, says('below')), group('g2', says('b')), group('g3', says('own'))],
      edges: [edge('e', 'g3')],
    })
  const current = flowLink('l', 'current', { groupId: 'g2' })

  it('comes back', async () => {
    expect(texts(await walked(current))).toEqual(['1', 'b', 'below'])
    expect(texts(await walked(leaving(current, 'e')))).toEqual(['1', 'b', 'own'])
  })

  it.each([
    ['below', flowLink('l', 'nobody')],
    ['own', leaving(flowLink('l', 'nobody'), 'e')],
  ])('goes on behind an unknown flow, %s', async (shown, link) => {
    const response = await walked(link)
    expect(texts(response)).toEqual(['1', shown])
    expect(logsOf(response)).toMatchObject([{ status: 'error', details: expect.stringContaining('nobody') }])
  })
})

describe('9. Values go into a linked flow by name, and come out by name only when it merges', () => {
  const linked = [
    {
      id: 'other',
      variables: [
        { id: 'o1', name: 'Name' },
        { id: 'o2', name: 'Own', value: 'default' },
        { id: 'o3', name: 'New' },
      ],
      blocks: [
        says('in', '{{Name}} {{Own}}'),
        sets('s1', 'o1', '"changed"'),
        sets('s2', 'o3', '"new"'),
        says('out', '{{Name}} {{New}}'),
      ],
    },
  ]
  const parent = (options: Json) => ({
    variables: [variable('Name', { value: 'Ada' })],
    blocks: [flowLink('l', 'other', options), says('back', '{{Name}} {{New}}')],
  })

  // docs/behaviour.md, "Decisions": a default of the linked flow stays where no namesake holds a value.
  it.each([
    [{}, 'Ada '],
    [{ mergeResults: false }, 'Ada '],
    [{ mergeResults: true }, 'changed new'],
  ])('with the options %j', async (options, back) => {
    expect(await textsOf(parent(options), { linked })).toEqual(['Ada default', 'changed new', back])
  })
})

describe('10. An action names the last bubble of its response: none before the first, the same for neighbours, across groups, and anew in the next response', () => {
  it('so', async () => {
    const { first, say } = await talk({
      groups: [
        group('g1', redirect('r0'), says('t'), redirect('r1'), leaving(redirect('r2'), 'e')),
        group(
          'g2',
          redirect('r3'),
          says('u'),
          redirect('r4'),
          asks('i'),
          redirect('r5'),
          says('v'),
          redirect('r6'),
        ),
      ],
      edges: [edge('e', 'g2')],
    })
    const bubbles = (response: Json) => actionsOf(response).map((action) => action['lastBubbleBlockId'])
    expect(bubbles(first)).toEqual([undefined, 't', 't', 't', 'u'])
    expect(bubbles(await say('x'))).toEqual([undefined, 'v'])
    expect(actionsOf(first)[0]).not.toHaveProperty('lastBubbleBlockId')
  })
})

describe('11. Exactly these actions expect a reply: a variable to set, a pause, a webhook to listen for, a request to send, an answer to be streamed', () => {
  const webhook = { url: 'https://a.example', method: 'GET' }
  const definition = {
    variables: [name],
    settings: { metadata: { googleTagManagerId: 'GTM-1' } },
    blocks: [
      redirect('r'),
      { id: 'c', type: 'Code', options: { content: '1' } },
      { id: 'w0', type: 'Wait', options: { secondsToWaitFor: '1' } },
      { id: 'g', type: 'Google Analytics', options: { trackingId: 'G-1' } },
      { id: 'p', type: 'Pixel', options: { pixelId: 'P', eventType: 'Lead' } },
      { id: 'k', type: 'Chatwoot', options: { websiteToken: 't' } },
      client('s', 'vName'),
      pause,
      { id: 'l', type: 'webhook' },
      { id: 'h', type: 'Webhook', options: { isExecutedOnClient: true, webhook } },
      says('end'),
    ],
  }
  const expecting = (response: Json) =>
    actionsOf(response).map(({ type, expectsDedicatedReply = false }) => [type, expectsDedicatedReply])

  it('and nothing else does', async () => {
    const { first, say } = await talk(definition)
    const [second, third, fourth, last] = [await say(), await say(), await say(), await say()]
    expect(expecting(first)).toEqual([
      ['startPropsToInject', false],
      ['redirect', false],
      ['scriptToExecute', false],
      ['wait', false],
      ['googleAnalytics', false],
      ['pixel', false],
      ['chatwoot', false],
      ['setVariable', true],
    ])
    expect([second, third, fourth].map(expecting)).toEqual([
      [['wait', true]],
      [['listenForWebhook', true]],
      [['httpRequestToExecute', true]],
    ])
    expect([texts(last), last['clientSideActions']]).toEqual([['end'], undefined])
  })

  it('and an answer to be streamed does', async () => {
    const options = { action: 'Create chat completion', responseMapping: [{ variableId: 'vName' }] }
    const blocks = [{ id: 'a', type: 'openai', options }, says('b', '{{Name}}'), asks('i')]
    const response = await startOf({ variables: [name], blocks }, { body: { isStreamEnabled: true } })
    expect([expecting(response), askedFor(response)]).toEqual([[['stream', true]], undefined])
  })

  // docs/behaviour.md, "Blocks that are not available": the older block for the same does not run here.
  it('and an older block for answers does not stream', async () => {
    const older = { id: 'a', type: 'OpenAI', options: { task: 'Create chat completion' } }
    const blocks = [older, says('b', '{{Name}}'), asks('i')]
    const response = await startOf({ variables: [name], blocks }, { body: { isStreamEnabled: true } })
    expect([actionsOf(response), askedFor(response)]).toEqual([[], 'i'])
    expect(logsOf(response)).toMatchObject([{ description: 'OpenAI is not available on this server' }])
  })
})

describe('12. A redirect and a script for the client do not stop the walk', () => {
  it('and are listed in their order', async () => {
    const script = { id: 'c', type: 'Code', options: { content: 'alert(1)' } }
    const response = await startOf({ blocks: [redirect('r'), says('b'), script, says('c'), asks('i')] })
    expect([texts(response), askedFor(response)]).toEqual([['b', 'c'], 'i'])
    expect(actionsOf(response).map(({ type }) => type)).toEqual(['redirect', 'scriptToExecute'])
  })
})

describe('13. A wait reads a decimal comma, and does nothing without a number, even when it pauses', () => {
  // docs/behaviour.md, "Decisions": a wait of less than 0 seconds is one of 0.
  it.each<[unknown, boolean | undefined, number | undefined]>([
    ['1,5', undefined, 1.5],
    ['1,5s', undefined, 1.5],
    ['{{Half}}', undefined, 0.5],
    [2, true, 2],
    ['0', true, 0],
    ['-2', true, 0],
    ['0', undefined, undefined],
    ['', true, undefined],
    [undefined, true, undefined],
    ['abc', true, undefined],
    ['{{Unset}}', true, undefined],
  ])('%j, pausing: %j', async (secondsToWaitFor, shouldPause, seconds) => {
    const options = {
      ...(secondsToWaitFor !== undefined && { secondsToWaitFor }),
      ...(shouldPause && { shouldPause }),
    }
    const response = await startOf({
      variables: [variable('Half', { value: '0,5' }), variable('Unset')],
      blocks: [{ id: 'w', type: 'Wait', options }, says('b')],
    })
    const isPaused = seconds !== undefined && shouldPause
    expect(actionsOf(response)).toMatchObject(
      seconds === undefined ? [] : [{ wait: { secondsToWaitFor: seconds } }],
    )
    expect(texts(response)).toEqual(isPaused ? [] : ['b'])
  })
})

describe('14. Placeholders stand for values: in texts, as JSON in bodies, and as each place needs them', () => {
  const variables = declare({ ...annsValues, Empty: [] })
  const shown = async (url: string) => {
    const response = await startOf({ variables, blocks: [{ id: 'm', type: 'image', content: { url } }] })
    return { text: (response['messages'] as [{ content: Json }])[0].content['url'], logs: logsOf(response) }
  }

  // docs/behaviour.md, "Decisions": a text is resolved once, also where inline code yields a placeholder.
  it.each([...placeholders, ...inlineCode])('%j reads %j', async (text, rendered) => {
    expect(await shown(text)).toEqual({ text: rendered, logs: [] })
  })

  // docs/behaviour.md, "Code": what needs a sandbox shows its source, with a log.
  it.each(inlineCodeBeyond)(
    'code is shown that needs the sandbox, since %s',
    async (_reason, text, rendered) => {
      expect(await shown(text)).toMatchObject({ text: rendered, logs: [{ status: 'error' }] })
    },
  )

  it.each(places)('%s', async (_place, { definition, look, seen }) => {
    expect(look(await startOf({ variables: declare(textsInPlaces), ...definition }))).toEqual(seen)
  })

  it('the text for a refused reply takes the value as it is', async () => {
    const input = { id: 'i', type: 'email input', options: { retryMessageContent: 'No: {{Quote}}' } }
    const { say } = await talk({ variables: declare(textsInPlaces), blocks: [input] })
    expect(texts(await say('x'))).toEqual([`No: ${textsInPlaces.Quote}`])
  })

  it.each([
    ['b', 'two'],
    [textsInPlaces.Key, ''],
  ])('the path of a mapping never takes a value for code: %s', async (Key, seen) => {
    const responseVariableMapping = [{ id: 'm', variableId: 'vT', bodyPath: 'data[{{Key}}]' }]
    const blocks = [{ id: 'l', type: 'webhook', options: { responseVariableMapping } }, says('b', '[{{T}}]')]
    const { say } = await talk({ variables: declare({ ...textsInPlaces, Key }), blocks })
    expect(texts(await say('{"data":{"a":"one","b":"two"}}'))).toEqual([`[${seen}]`])
  })

  it.each([
    ['HTML, where they are text', true, { html: '<p>say &quot;hi&quot;\n&lt;b&gt;</p>' }],
    ['text, where they are as they are', false, { text: `<p>${textsInPlaces.Quote}</p>` }],
  ])('values in the body of a mail: %s', async (_, isBodyCode, body) => {
    const sent: ResolvedMail[] = []
    const mailer: Mailer = {
      ...nowhere.mailer,
      send: async (mail) => {
        sent.push(mail)
        return { kind: 'sent', details: {} }
      },
    }
    const account = { host: 'mail.example', port: 25, from: { email: 'shop@a.example' } }
    const credentials = { ...nowhere.credentials, mailAccount: () => account }
    const options = {
      credentialsId: 'default',
      recipients: ['a@a.example'],
      isBodyCode,
      body: '<p>{{Quote}}</p>',
    }
    const blocks = [{ id: 'e', type: 'Email', options }]
    const flow = wholeDefinition({ variables: declare(textsInPlaces), blocks })
    await startLive(createTestChat([flow], { mailer, credentials }))
    expect(sent).toMatchObject([body])
  })
})

describe('15. Code sees a text that is a number, a boolean or nothing as such, if it would print back the same', () => {
  /** The argument of a script for the client, and the type that code of the server sees. */
  async function seenOf(stored: Value) {
    const response = await startOf({
      variables: [variable('V', { value: stored })],
      blocks: [{ id: 'c', type: 'Code', options: { content: '{{V}}' } }, says('b', '{{=typeof {{V}}=}}')],
    })
    const [{ scriptToExecute }] = actionsOf(response) as [{ scriptToExecute: { args: Json[] } }]
    return [scriptToExecute.args, texts(response)]
  }

  it.each(readAsOthers.filter(([stored]) => stored !== null))('%j is seen as %j', async (stored, seen) => {
    const argument = JSON.parse(JSON.stringify({ id: 'vV', value: seen }))
    expect(await seenOf(stored)).toEqual([[argument], [typeof seen]])
  })

  it.each(keptAsText.filter((stored) => stored !== ''))('%j is seen as it is', async (stored) => {
    expect(await seenOf(stored)).toEqual([[{ id: 'vV', value: stored }], ['string']])
  })

  // docs/behaviour.md, "Writing a variable": an empty text is no value.
  it.each([null, ''])('what is declared as %j is seen as undefined', async (declared) => {
    expect(await seenOf(declared)).toEqual([[{ id: 'vV' }], ['undefined']])
  })

  it('what was emptied is seen as null', async () => {
    const empty = { id: 's', type: 'Set variable', options: { variableId: 'vV', type: 'Empty' } }
    const blocks = [empty, { id: 'c', type: 'Code', options: { content: '{{V}}' } }]
    const response = await startOf({ variables: [variable('V')], blocks })
    expect(actionsOf(response)).toMatchObject([{ scriptToExecute: { args: [{ id: 'vV', value: null }] } }])
  })
})

describe('16. An expression is a placeholder, a text of digits, or code; a text that is none fails silently, code that fails leaves one log', () => {
  const written = (expressionToEvaluate: string | undefined, isCode: boolean) => {
    const expression = expressionToEvaluate === undefined ? {} : { expressionToEvaluate }
    const options = { variableId: 'vT', isCode, ...expression }
    return writtenTo([{ id: 's', type: 'Set variable', options }], expressionValues)
  }

  it.each(evaluated)('%s sets %j, without a log', async (expression, value) => {
    expect(await written(expression, false)).toEqual({ value, logs: [] })
    expect(await written(expression, true)).toEqual({ value, logs: [] })
  })

  it.each(takenForText)('%s sets %j, with a log if it is meant to be code', async (expression, value) => {
    expect(await written(expression, false)).toEqual({ value, logs: [] })
    const asCode = await written(expression, true)
    expect(asCode).toMatchObject({
      value,
      logs: [{ status: 'error', context: 'Set variable: expression failed' }],
    })
    expect(asCode.logs).toHaveLength(1)
  })

  // docs/behaviour.md, "Code": what needs a sandbox writes nothing, with a log.
  it.each(['Promise.resolve(7)', 'new Date(0)'])('%s is left to a sandbox', async (expression) => {
    expect(await written(expression, false)).toMatchObject({ value: 'before', logs: [{ status: 'error' }] })
  })
})

describe('17. Whatever is written becomes a text, a list or nothing, and what is no number becomes nothing', () => {
  it.each(writtenValues)('%j is kept as %j', async (_given, kept, code) => {
    expect(await writtenTo([sets('s', 'vT', code)])).toEqual({ value: kept, logs: [] })
  })

  // docs/behaviour.md, "Code": objects of the host need a sandbox.
  it.each(writtenObjects)('%o can not be made yet', async (_given, _kept, code) => {
    expect(await writtenTo([sets('s', 'vT', code)])).toMatchObject({
      value: 'before',
      logs: [{ status: 'error' }],
    })
  })

  it('counts up from nothing only with a default', async () => {
    const count = (expression: string) => writtenTo([sets('s', 'vT', expression)], { Count: null })
    expect((await count('{{Count}} + 1')).value).toBe(null)
    expect((await count('({{Count}} ?? 0) + 1')).value).toBe('1')
  })

  it('keeps what was there in the other variables', async () => {
    const { service } = await talk({
      variables: [
        variable('A', { value: 'a' }),
        variable('B', { value: 'b' }),
        variable('C', { isSessionVariable: true, value: 'c' }),
      ],
      blocks: [sets('s', 'vB', '"x"'), asks('i')],
    })
    const result = await service.world.results.get('flow-1', 'result-1')
    expect(result?.variables.map((kept) => [kept.name, kept.value])).toEqual([
      ['A', 'a'],
      ['B', 'x'],
    ])
  })
})

describe('18. A moment is written in UTC, or in the zone that is asked for; an unknown zone is UTC', () => {
  const now = (timeZone?: string) => ({
    id: 's',
    type: 'Set variable',
    options: { variableId: 'vT', type: 'Now', ...(timeZone !== undefined && { timeZone }) },
  })
  const write = (timeZone?: string) => writtenTo([now(timeZone)], { Zone: 'Asia/Kolkata', Unset: null })

  it.each([
    [undefined, '2026-11-21T09:17:01.712Z'],
    ['', '2026-11-21T09:17:01.712Z'],
    ['{{Unset}}', '2026-11-21T09:17:01.712Z'],
    ['Europe/Paris', '2026-11-21T10:17:01+01:00'],
    ['{{Zone}}', '2026-11-21T14:47:01+05:30'],
    ['UTC', '2026-11-21T09:17:01Z'],
    ['+02:00', '2026-11-21T11:17:01+02:00'],
  ])('%j', async (timeZone, value) => {
    expect(await write(timeZone)).toEqual({ value, logs: [] })
  })

  // docs/behaviour.md, "Decisions": a time zone that does not exist is UTC, with a log.
  it.each(['Mars/Olympus', '+99:00', '🙂', 'x'.repeat(10_000)])(
    '%.20j is UTC, with a log',
    async (timeZone) => {
      const { value, logs } = await write(timeZone)
      expect([value, logs]).toMatchObject(['2026-11-21T09:17:01.712Z', [{ status: 'error' }]])
    },
  )

  it.each([
    ['Yesterday', '2026-11-20T10:17:01+01:00'],
    ['Tomorrow', '2026-11-22T10:17:01+01:00'],
    ['Today', '2026-11-21T09:17:01.712Z'],
  ])('%s is a day of 24 hours away', async (type, value) => {
    const options = { variableId: 'vT', type, timeZone: 'Europe/Paris' }
    expect((await writtenTo([{ id: 's', type: 'Set variable', options }])).value).toBe(value)
  })
})

describe('19. Conditions compare texts, lists and nothing as tabled', () => {
  // docs/behaviour.md, "Decisions": only ISO dates are dates, and a pattern that is none matches nothing, with a log.
  const decide = (L: unknown, content: Json) =>
    textsOf({
      variables: declare({ L, ...comparedWith }),
      groups: [
        group(
          'g1',
          { id: 'c', type: 'Condition', items: [{ id: 'q', content, outgoingEdgeId: 'e' }] },
          says('false'),
        ),
        group('g2', says('true')),
      ],
      edges: [edge('e', 'g2')],
    })

  it.each(Object.values(comparisons).flat())(
    '%j %s %j is %s',
    async (L, comparisonOperator, value, expected) => {
      const comparison = {
        id: 'q',
        variableId: 'vL',
        comparisonOperator,
        ...(value !== undefined && { value }),
      }
      expect(await decide(L, { comparisons: [comparison] })).toEqual([String(expected)])
    },
  )

  const holds = { id: 'y', variableId: 'vL', comparisonOperator: 'Greater or equal to', value: '18' }
  const fails = { id: 'n', variableId: 'vU', comparisonOperator: 'Equal to', value: 'FR' }
  it.each<[Json, boolean]>([
    [{ logicalOperator: 'AND', comparisons: [holds, fails] }, false],
    [{ comparisons: [holds, fails] }, false],
    [{ logicalOperator: 'OR', comparisons: [fails, holds] }, true],
    [{ logicalOperator: 'OR', comparisons: [] }, false],
    [{ logicalOperator: 'AND', comparisons: [] }, false],
    [{ comparisons: [{ id: 'q', comparisonOperator: 'Is empty' }] }, false],
    [{ comparisons: [{ id: 'q', variableId: 'vL' }] }, false],
    [{ comparisons: [{ id: 'q', variableId: 'gone', comparisonOperator: 'Is empty' }] }, true],
  ])('%j is %s', async (content, expected) => {
    expect(await decide('20', content)).toEqual([String(expected)])
  })
})

describe('20. A loop ends with the budget of its turn, and code that would never end is cut off', () => {
  const loop = (...blocks: Json[]) => ({
    variables: [variable('T', { value: 'x' })],
    groups: [group('g1', ...blocks, leaving(returns('r'), 'e'))],
    edges: [edge('e', 'g1')],
  })

  // docs/behaviour.md, "Decisions": a spent budget is a 200 with a log, and the session is ended.
  it.each<[string, Json, string]>([
    ['logic alone', loop(sets('s', 'vT', '1')), 'more than 1000 blocks in one turn'],
    ['bubbles', loop(says('b'), says('c')), 'more than 500 messages in one turn'],
    ['a text that doubles', loop(sets('s', 'vT', '{{T}} + {{T}}')), 'more than'],
    ['jumps', { groups: [group('g1', jump('j', 'g1'))] }, 'more than 1000 blocks in one turn'],
  ])('of %s', async (_what, definition, budget) => {
    for (const endpoint of endpoints) {
      const { first, goOn, service } = await talk(definition, { endpoint })
      const description = expect.stringContaining(`The conversation was stopped: ${budget}`)
      expect(logsOf(first).at(-1)).toMatchObject({
        status: 'error',
        description,
        details: expect.stringContaining('g1'),
      })
      expect(texts(first).length).toBeLessThanOrEqual(500)
      expect(await goOn()).toMatchObject(noSession)
      const result = await service.world.results.get('flow-1', 'result-1')
      expect(JSON.stringify(result ?? '').length).toBeLessThan(1024 * 1024)
    }
  })

  // docs/behaviour.md, "Limits": a link too deep is passed by, with a log.
  it('of links', async () => {
    const { first, goOn } = await talk({
      groups: [group('g1', says('b'), flowLink('l', 'current', { groupId: 'g1' }))],
    })
    expect(texts(first)).toHaveLength(51)
    expect(logsOf(first)).toMatchObject([
      { status: 'error', description: expect.stringContaining('limited to 50') },
    ])
    expect(await goOn()).toMatchObject(noSession)
  })

  /** Runs code as an expression, as code, as a script of the server and within a text. */
  async function runEverywhere(code: string) {
    const options = { variableId: 'vT', expressionToEvaluate: code }
    const blocks = [
      { id: 's', type: 'Set variable', options },
      { id: 'd', type: 'Set variable', options: { ...options, isCode: true } },
      { id: 'c', type: 'Code', options: { content: code, isExecutedOnClient: false } },
      { id: 'm', type: 'image', content: { url: `{{=${code}=}}` } },
      says('end', 'T is {{T}}'),
      asks('i'),
    ]
    const response = await startOf({ variables: [variable('T', { value: 'kept' })], blocks })
    const [image, end] = response['messages'] as [{ content: Json }, { content: Json }]
    const seen = { inText: image.content['url'], end: end.content['markdown'], waitsAt: askedFor(response) }
    return { ...seen, logs: logsOf(response) }
  }

  // docs/behaviour.md, "Code": loops and promises need a sandbox, so such code does not even begin.
  it.each([
    ['loops', 'while(true){} return 1', 4],
    ['returns a promise that never settles', 'return new Promise(() => {})', 4],
    ['calls itself', 'const f = () => f(); return f()', 4],
    // Within a text nothing can be awaited: there it is no code at all.
    ['waits for ever', 'await new Promise(() => {})', 3],
  ])('code that %s leaves a log, wherever it stands, and the walk goes on', async (_what, code, count) => {
    const { logs, ...seen } = await runEverywhere(code)
    expect(seen).toEqual({ inText: code, end: 'T is kept', waitsAt: 'i' })
    expect(logs).toMatchObject(Array(count).fill({ status: 'error' }))
  })

  it('a loop that is no expression is text, and its script does not run', async () => {
    const { logs, ...seen } = await runEverywhere('while(true){}')
    expect(seen).toEqual({ inText: 'while(true){}', end: 'T is while(true){}', waitsAt: 'i' })
    expect(logs).toMatchObject([{ context: 'Set variable: expression failed' }, { context: 'Script failed' }])
  })
})

describe('21. A message on the start of a flow that asks nothing is left alone', () => {
  // docs/behaviour.md, "Decisions": a message on a start, when nothing asks, is left alone.
  it.each<[string, Json]>([
    ['logic alone', { blocks: [sets('s', 'vCount', '({{Count}} ?? 0) + 1')] }],
    ['bubbles', { blocks: [sets('s', 'vCount', '({{Count}} ?? 0) + 1'), says('b')] }],
  ])('of %s, which runs once', async (_what, more) => {
    const definition = { variables: [variable('Count')], ...more }
    const { first, service } = await talk(definition, { body: { message: 'Hey' } })
    expect(first).toEqual(await startOf(definition))
    const result = await service.world.results.get('flow-1', 'result-1')
    expect(result).toMatchObject({
      answers: [],
      hasStarted: false,
      variables: [{ name: 'Count', value: '1' }],
    })
  })

  it.each<[string, Json]>([
    ['an empty group', { groups: [group('g1')] }],
    ['no groups', { groups: [] }],
    ['a start without an edge', { groups: [], events: [{ id: 'start', type: 'start' }] }],
  ])('of %s', async (_what, definition) => {
    for (const endpoint of endpoints) {
      const response = await startOf(definition, { endpoint, body: { message: 'Hey' } })
      expect(response).toEqual(await startOf(definition, { endpoint }))
      expect([response['messages'], response['input']]).toEqual([[], undefined])
    }
  })
})

describe('22. A graph in which something is missing never makes the service fail', () => {
  const cases = casesAbout('', 'walk/degenerate.json')

  it.each(cases)('%s (published)', (_description, testCase) => play(testCase, 'public'))
  it.each(cases)('%s (preview)', (_description, testCase) => play(testCase, 'preview'))

  it.each([[], [{ id: 'c', type: 'command' }]])(
    'events without a start are refused: %j',
    async (...events) => {
      const { preview } = await serve()
      const { status, body } = await preview({ blocks: [says('b')], events })
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    },
  )

  // docs/behaviour.md, "Decisions": a Return in a linked flow, for a jump in the flow below, leads back.
  it('a return in a linked flow leads back to the jump of the flow below', async () => {
    const linked = [{ id: 'other', blocks: [says('b'), returns('r'), says('x')] }]
    const groups = [
      group('g1', jump('j', 'g2'), says('back')),
      group('g2', flowLink('l', 'other'), says('below')),
    ]
    expect(await textsOf({ groups }, { linked })).toEqual(['b', 'back'])
  })

  // docs/api.md, "POST /v1/sessions/{sessionId}/updateFlow": what a session needs can not be taken from it.
  it('a block that a return leads back to can not go', async () => {
    const flowWith = (...blocks: Json[]) => ({
      groups: [group('g1', jump('j', 'g2'), ...blocks), group('g2', asks('i'), returns('r'))],
    })
    const adminToken = 'adm1n'
    const before = await serve([flowWith(says('back'))], { adminToken })
    succeeded(await before.start())
    const { sessions, results, definitions, programs } = before.world
    const after = await serve([flowWith()], { adminToken, sessions, results, definitions, programs })
    const update = after.world.chat.updateFlow({
      sessionId: 'session-1',
      authorization: `Bearer ${adminToken}`,
    })
    await expect(update).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(texts(succeeded(await before.goOn('session-1', { message: 'x' })))).toEqual(['back'])
  })
})
