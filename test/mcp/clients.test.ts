import { describe, expect, it } from 'vitest'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { buildMcpApp, openNewClient, openOldClient, type Person, sendNew } from '../support/mcp-clients.ts'
import { createTestChat } from '../support/start.ts'

const mcp = { description: 'Greets people', arguments: { City: 'Where they live' } }

const greeting = wholeDefinition({
  id: 'greeting',
  name: 'Greeting',
  variables: [variable('Name'), variable('City')],
  settings: { general: { mcp } },
  blocks: [
    bubble('b1', 'Hi from {{City}}, what is your name?'),
    textInput('i1', 'vName'),
    {
      id: 'c1',
      type: 'choice input',
      items: [
        { id: 'yes', content: 'Yes' },
        { id: 'no', content: 'No' },
      ],
    },
    bubble('b2', 'Bye {{Name}}'),
  ],
})

const hidden = wholeDefinition({ id: 'hidden', blocks: [bubble('b1', 'Hi')] })

const textOf = ({ content }: Json) => (content as Json[])[0]?.['text'] as string

describe('a client of 2026-07-28', () => {
  it('lists the flows that are offered, and asks its person by forms', async () => {
    const { app } = await buildMcpApp(createTestChat([greeting, hidden]).chat)
    const asked: Json[] = []
    const answers = [{ answer: 'Ada' }, { answer: 'yes' }]
    const person: Person = (params) => {
      asked.push(params)
      return { action: 'accept', content: answers[asked.length - 1]! }
    }
    const client = await openNewClient(app, person)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['greeting', 'answer'])
    const result = await client.callTool({ name: 'greeting', arguments: { City: 'Paris' } })
    expect(asked).toMatchObject([
      {
        mode: 'form',
        message: 'Hi from Paris, what is your name?',
        requestedSchema: { properties: { answer: { type: 'string' } }, required: ['answer'] },
      },
      {
        requestedSchema: {
          properties: {
            answer: {
              oneOf: [
                { const: 'yes', title: 'Yes' },
                { const: 'no', title: 'No' },
              ],
            },
          },
        },
      },
    ])
    expect(result.structuredContent).toEqual({ state: 'over', messages: ['Bye Ada'] })
    expect(textOf(result as Json)).toBe('Bye Ada\n\nThe conversation is over.')
  })

  it('that has no forms is told in words', async () => {
    const { app } = await buildMcpApp(createTestChat([greeting]).chat)
    const client = await openNewClient(app)
    const result = await client.callTool({ name: 'greeting', arguments: {} })
    expect(result.structuredContent).toMatchObject({ state: 'asks', question: { type: 'text input' } })
  })
})

const paying = wholeDefinition({
  id: 'applying',
  variables: [variable('Cv')],
  settings: { general: { mcp } },
  blocks: [
    bubble('b1', 'Your papers, please'),
    { id: 'cv', type: 'file input', options: { variableId: 'vCv', isRequired: false } },
    bubble('b2', 'Thanks'),
  ],
})

describe('what only a page does', () => {
  it('is asked by its address, and looked for when the person comes back', async () => {
    const { app } = await buildMcpApp(createTestChat([paying]).chat)
    const asked: Json[] = []
    const skip = () =>
      app.inject({
        method: 'POST',
        url: '/v1/sessions/session-1/continueChat',
        payload: { message: null },
      })
    const client = await openNewClient(app, async (params) => {
      // The first time, the person comes back with nothing done.
      if (asked.push(params) > 1) expect((await skip()).statusCode).toBe(200)
      return { action: 'accept' }
    })
    const { structuredContent } = await client.callTool({ name: 'applying', arguments: {} })
    const address = 'https://bot.example/f/applying#session=session-1'
    expect(asked[0]).toEqual({ mode: 'url', message: 'Your papers, please', url: address })
    expect(asked[1]).toEqual({ mode: 'url', message: 'Continue in new tab', url: address })
    expect(asked.length).toBe(2)
    expect(structuredContent).toEqual({ state: 'over', messages: [] })
  })

  it('is told in words where there are no pages, and no page of a tool is listed', async () => {
    const { app } = await buildMcpApp(createTestChat([paying]).chat, { pages: 'off' })
    const client = await openNewClient(app, () => ({ action: 'accept' }))
    const result = await client.callTool({ name: 'applying', arguments: {} })
    expect(result.structuredContent).toMatchObject({ state: 'noPage' })
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listTools()).tools[0]).not.toHaveProperty('_meta')
    await expect(client.readResource({ uri: 'ui://flow-runtime/applying' })).rejects.toThrow('no resource')
  })

  it('is shown by clients that show pages of tools, as all of the conversation', async () => {
    const { app } = await buildMcpApp(createTestChat([greeting]).chat)
    const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/ui': {} } }
    const { body } = await sendNew(app, 'tools/call', { name: 'greeting' }, { capabilities })
    expect((body['result'] as Json)['structuredContent']).toMatchObject({
      state: 'shown',
      page: 'https://bot.example/f/greeting#session=session-1',
    })
  })
})

describe('a client of 2025-11-25', () => {
  it('is told in words, and answers by a tool', async () => {
    const { app } = await buildMcpApp(createTestChat([greeting, hidden]).chat)
    const client = await openOldClient(app)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['greeting', 'answer'])
    const first = (await client.callTool({ name: 'greeting', arguments: { City: 'Paris' } })) as Json
    expect(textOf(first)).toMatch(/^Hi from Paris, what is your name\?\n\nAsk the person/)
    const { handle } = first['structuredContent'] as Json
    expect(textOf(first)).toContain(`handle: ${handle}`)
    const answer = async (handle: unknown, text?: string) =>
      (await client.callTool({ name: 'answer', arguments: { handle, ...(text && { text }) } })) as Json
    const second = await answer(handle, 'Ada')
    expect(second['structuredContent']).toMatchObject({
      state: 'asks',
      question: { type: 'choice input', options: ['Yes', 'No'] },
    })
    const again = await answer(handle, 'Eve')
    expect(textOf(again)).toContain('This question was answered already')
    const last = await answer((again['structuredContent'] as Json)['handle'], 'no')
    expect(last['structuredContent']).toEqual({ state: 'over', messages: ['Bye Ada'] })
    expect((await client.readResource({ uri: 'ui://flow-runtime/greeting' })).contents).toMatchObject([
      {
        mimeType: 'text/html;profile=mcp-app',
        _meta: { ui: { csp: { frameDomains: ['https://bot.example'] } } },
      },
    ])
  })
})
