import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../schemas/common.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { ProgramCache } from '../../../src/conversations/session/program-cache.ts'
import { defineBlock } from '../../../src/engine/model/block-handler.ts'
import { createRecordingOutside } from '../../fixtures/recording-outside.ts'
import {
  bubble,
  endlessFlow,
  flowLink,
  modelQuestion,
  rememberingFlow,
  setVariable,
  textInput,
  variable,
} from '../../fixtures/short-flows.ts'
import { earlierResult, keepResult } from '../../fixtures/starting.ts'
import {
  createVisitedWorld,
  linesOf,
  type OptionsOf,
  publicationOf,
  visitAlone,
} from '../../fixtures/visited-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { createTestChat } from '../../support/start.ts'

const markdown = { textBubbleContentFormat: 'markdown' }

/** Shows what a block made of the variable `A`. */
const showing = (...blocks: Json[]) =>
  wholeDefinition({ variables: [variable('A')], blocks: [...blocks, bubble('b1', '{{A}}'), textInput('i1')] })

const drawing = wholeDefinition({
  groups: [
    {
      id: 'g1',
      title: 'Draw',
      blocks: [
        {
          id: 'ab',
          type: 'AB test',
          items: [
            { id: 'a', path: 'a', outgoingEdgeId: 'e-a' },
            { id: 'b', path: 'b', outgoingEdgeId: 'e-b' },
          ],
        },
      ],
    },
    { id: 'ga', title: 'A', blocks: [bubble('b1', 'to the left')] },
    { id: 'gb', title: 'B', blocks: [bubble('b2', 'to the right')] },
  ],
  edges: [
    { id: 'e-a', to: { groupId: 'ga' } },
    { id: 'e-b', to: { groupId: 'gb' } },
  ],
})

const calling = showing({
  id: 'w1',
  type: 'Webhook',
  options: {
    webhook: { url: 'https://a.example/', method: 'GET' },
    responseVariableMapping: [{ id: 'm1', variableId: 'vA', bodyPath: 'data.visitor' }],
  },
})

const model = {
  id: 'x1',
  type: 'openai',
  options: modelQuestion('Hi', 'vA', { credentialsId: 'c1', model: 'tiny-1' }),
}

/** Another system that knows which visitor asks. */
const answering: OptionsOf = (visitor) => {
  const { outside } = createRecordingOutside()
  const message = () => ({ content: `Visitor ${visitor()}` })
  const text = () => JSON.stringify({ visitor: `no. ${visitor()}`, choices: [{ message: message() }] })
  const http = {
    ...outside.http,
    send: async () => ({ kind: 'response' as const, status: 200, text: text() }),
  }
  return { ...outside, http }
}

const counting: OptionsOf = (visitor) => ({
  sandbox: {
    run: async () => ({ ok: true, value: `run for ${visitor()}`, assigned: [] }),
    close: async () => undefined,
  },
})

describe('what a flow asks of the world', () => {
  it.each<[what: string, definition: Json, shown: readonly string[], options?: OptionsOf]>([
    [
      'an id by chance',
      showing(setVariable('s', 'vA', { type: 'Random ID' })),
      ['k'.padEnd(24, 'o'), 'u'.padEnd(24, '2'), 'f'.padEnd(24, 'h')],
    ],
    [
      'the time',
      showing(setVariable('s', 'vA', { type: 'Now' })),
      ['2026-11-21T09:18:01.712Z', '2026-11-21T09:19:01.712Z', '2026-11-21T09:20:01.712Z'],
    ],
    ['chance', drawing, ['to the left', 'to the right', 'to the left']],
    [
      'the id of the result',
      showing(setVariable('s', 'vA', { type: 'Result ID' })),
      ['result-1', 'result-2', 'result-3'],
    ],
    [
      'the id of the visitor',
      showing(setVariable('s', 'vA', { type: 'User ID' })),
      ['result-1', 'result-2', 'result-3'],
    ],
    [
      'code that only the sandbox runs',
      showing(setVariable('s', 'vA', { expressionToEvaluate: 'return Math.random()', isCode: true })),
      ['run for 1', 'run for 2', 'run for 3'],
      counting,
    ],
    ['another system', calling, ['no. 1', 'no. 2', 'no. 3'], answering],
    [
      'a model',
      showing(model, bubble('b0')),
      ['b0', 'Visitor 1', 'b0', 'Visitor 2', 'b0', 'Visitor 3'],
      answering,
    ],
  ])('is asked again for everybody: %s', async (_what, definition, shown, options) => {
    const world = createVisitedWorld([definition], options)
    const visits = []
    for (const nth of [1, 2, 3]) visits.push(await world.visit(nth, markdown))
    expect(visits.flatMap(linesOf)).toEqual(shown)
    expect(world.walks()).toEqual([true, true, true])
    expect(visits[2]).toEqual(await visitAlone([definition], [3, markdown], options))
  })

  it('is asked again for everybody: another flow', async () => {
    const linking = wholeDefinition({ blocks: [flowLink('l1', 'other')] })
    const publication = publicationOf(linking)
    const other = (visitor: number) =>
      wholeDefinition({ id: 'other', blocks: [bubble('o1', `Edition ${visitor}`)] })
    const options: OptionsOf = (visitor) => ({
      published: {
        ...createTestChat().published,
        byPublicId: () => publication,
        byFlowId: () => publicationOf(other(visitor())),
      },
    })
    const world = createVisitedWorld([linking], options)
    const visits = [await world.visit(1, markdown), await world.visit(2, markdown)]
    expect(visits.flatMap(linesOf)).toEqual(['Edition 1', 'Edition 2'])
  })

  it('is done again for everybody: a mail', async () => {
    const { outside, mails } = createRecordingOutside()
    const mail = {
      id: 'm1',
      type: 'Email',
      options: { credentialsId: 'default', recipients: ['a@shop.example'] },
    }
    const world = createVisitedWorld([showing(mail)], () => outside)
    for (const nth of [1, 2, 3]) await world.visit(nth)
    expect(mails).toHaveLength(3)
  })

  it('is asked again for everybody: the result in a widget', async () => {
    const widget = { id: 'c1', type: 'Chatwoot', options: { task: 'Show widget', websiteToken: 't' } }
    const world = createVisitedWorld([wholeDefinition({ blocks: [widget] })])
    await world.visit(1)
    const second = JSON.stringify(await world.visit(2))
    expect(second).toContain('/results/result-2')
    expect(second).not.toContain('result-1')
  })

  it('is asked again for everybody: the look of a flow', async () => {
    const definition = wholeDefinition({
      blocks: [textInput('i1')],
      theme: { customCss: '{{=Math.random()=}}' },
    })
    const world = createVisitedWorld([definition], counting)
    for (const nth of [1, 2]) {
      const theme = { customCss: `run for ${nth}` }
      expect(await world.visit(nth)).toMatchObject({ answer: { flow: { theme } } })
    }
  })
})

describe('a visitor who brings something along', () => {
  const asking = rememberingFlow({
    variables: [variable('Name')],
    blocks: [textInput('i1', 'vName'), bubble('b1', 'Hi {{Name}}'), textInput('i2')],
  })

  const bringing: [string, Json][] = [
    ['a message', { message: 'Ada' }],
    ['an empty message', { message: '' }],
    ['a message with more to it', { message: { type: 'text', text: 'Ada' } }],
    ['values', { prefilledVariables: { Name: 'Ada' } }],
    ['no values', { prefilledVariables: {} }],
    ['an earlier result', { resultId: 'earlier' }],
    ['a result that nobody knows', { resultId: 'unknown' }],
    ['nothing but a wish to be registered', { isOnlyRegistering: true }],
  ]

  /** A world with a result of an earlier visitor. */
  async function createWorld() {
    const world = createVisitedWorld([asking])
    await keepResult(
      world.results,
      earlierResult({ variables: [{ id: 'vName', name: 'Name', value: 'Grace' }] }),
    )
    return world
  }

  const alone = async (nth: number, body: Json) => (await createWorld()).visit(nth, body)

  it.each(bringing)('has an opening of their own between others: %s', async (_what, body) => {
    const world = await createWorld()
    for (const [nth, brought] of [{}, {}, body, {}].entries()) {
      expect(await world.visit(nth, brought)).toEqual(await alone(nth, brought))
    }
    expect(world.walks()).toEqual([true, false, true, false])
  })

  it.each(bringing)('leaves nothing for those who come next: %s', async (_what, body) => {
    const world = await createWorld()
    for (const [nth, brought] of [body, {}, {}].entries()) {
      expect(await world.visit(nth, brought)).toEqual(await alone(nth, brought))
    }
    expect(world.walks()).toEqual([true, true, false])
  })

  it('is not meant by those who say that they bring nothing', async () => {
    const world = await createWorld()
    const nothing = [{}, { message: null }, { isOnlyRegistering: false }, { isStreamEnabled: false }]
    for (const [nth, brought] of nothing.entries()) {
      expect(await world.visit(nth, brought)).toEqual(await alone(nth, brought))
    }
    expect(world.walks()).toEqual([true, false, false, false])
  })
})

describe('how a visitor wants to be answered', () => {
  const wishes: Json[] = [
    {},
    markdown,
    { isStreamEnabled: true },
    { isStreamEnabled: true, ...markdown },
    { textBubbleContentFormat: 'richText' },
    { isStreamEnabled: true, textBubbleContentFormat: 'richText' },
  ]

  it('is not mixed up', async () => {
    const definition = wholeDefinition({ blocks: [bubble('b1', 'Hi *you*'), textInput('i1')] })
    const world = createVisitedWorld([definition])
    for (const [index, body] of [...wishes, ...wishes].entries()) {
      expect(await world.visit(index, body)).toEqual(await visitAlone([definition], [index, body]))
    }
    const isWalked = [true, true, true, true, false, false]
    expect(world.walks()).toEqual([...isWalked, ...wishes.map(() => false)])
  })

  it('decides whether a model is asked now or streamed later', async () => {
    const definition = showing(model)
    const world = createVisitedWorld([definition], answering)
    for (const [index, body] of [...wishes, ...wishes].entries()) {
      expect(await world.visit(index, body)).toEqual(await visitAlone([definition], [index, body], answering))
    }
  })
})

describe('an opening that is walked again each time', () => {
  it('is one that came up against a limit, which is reported to the operator', async () => {
    const options = () => ({ limits: { ...defaultLimits, blocksPerTurn: 10 } })
    const world = createVisitedWorld([endlessFlow], options)
    for (const nth of [1, 2, 3]) {
      expect(await world.visit(nth)).toEqual(await visitAlone([endlessFlow], [nth], options))
    }
    expect(world.limits).toEqual(['blocksPerTurn', 'blocksPerTurn', 'blocksPerTurn'])
    expect(world.walks()).toEqual([true, true, true])
  })

  it('is one whose look came up against a limit', async () => {
    const definition = wholeDefinition({
      variables: [variable('A', { value: 'x'.repeat(200) })],
      blocks: [textInput('i1')],
      theme: { customCss: '{{A}}{{A}}{{A}}{{A}}{{A}}{{A}}' },
    })
    const options = () => ({ limits: { ...defaultLimits, charactersPerTurn: 1000 } })
    const world = createVisitedWorld([definition], options)
    for (const nth of [1, 2]) await world.visit(nth)
    expect(world.limits).toEqual(['charactersPerTurn', 'charactersPerTurn'])
  })

  it('is one with a defect, which is reported to the operator', async () => {
    const failing = defineBlock({
      schema: blockOf('failing', {}),
      kind: 'logic',
      compile: () => undefined,
      run() {
        throw new TypeError('a defect')
      },
    })
    const registry = new Map([...blockRegistry, ['failing', failing]])
    const definition = showing({ id: 'f1', type: 'failing' })
    const { program } = new ProgramCache({ registry, maxBytes: 1e6 }).prepare(definition)
    const publication = { ...(await publicationOf(definition)), program }
    const published = { ...createTestChat().published, byPublicId: async () => publication }
    const world = createVisitedWorld([definition], () => ({ published }))
    for (const nth of [1, 2, 3]) await world.visit(nth)
    expect(world.reports).toMatchObject([{ blockId: 'f1' }, { blockId: 'f1' }, { blockId: 'f1' }])
    expect(world.walks()).toEqual([true, true, true])
  })

  it('is one whose answer is long', async () => {
    const definition = wholeDefinition({ blocks: [bubble('b1', '長'.repeat(30_000)), textInput('i1')] })
    const world = createVisitedWorld([definition])
    for (const nth of [1, 2]) {
      expect(await world.visit(nth)).toEqual(await visitAlone([definition], [nth]))
    }
    expect(world.walks()).toEqual([true, true])
  })
})
