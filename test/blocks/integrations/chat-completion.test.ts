import { describe, expect, it } from 'vitest'
import { chatCompletionTypes } from '../../../schemas/blocks/models.ts'
import { chatCompletion } from '../../../src/blocks/integrations/chat-completion.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import {
  type Asking,
  apiKey,
  calls,
  createModelWorld,
  failing,
  says,
  soon,
  startAsking,
  usageOf,
  variables,
} from '../../fixtures/asking-models.ts'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { previewRequest } from '../../support/preview-request.ts'
import { httpAnswer } from '../../support/raw-http-server.ts'
import { prepareBlock } from '../../support/run-block.ts'
import { parseWire } from '../../support/wire.ts'

const reply = [{ variableId: 'vReply' }]

interface Given extends Partial<Omit<Asking, 'definition'>> {
  readonly type?: string
  readonly values?: Readonly<Record<string, Value>>
}

/** Asks once, with options over those of a plain question; `on` is shown behind. */
function ask(options: Json, { values, type = 'openai', ...asking }: Given = {}) {
  const block = {
    id: 'x1',
    type,
    options: {
      action: 'Create chat completion',
      credentialsId: 'c1',
      model: 'tiny-1',
      messages: [{ role: 'user', content: 'Hi' }],
      responseMapping: reply,
      ...options,
    },
  }
  const definition = {
    variables: variables({ Reply: 'old', Tokens: 'old', ...values }),
    blocks: [block, bubble('on'), textInput('end')],
  }
  return startAsking({ definition, answers: [says('Hello')], ...asking })
}

const bodyOf = ({ body }: { body: string }) => JSON.parse(body) as Json

const messagesOf = (request: { body: string } | undefined) => request && bodyOf(request)['messages']

describe('a chat completion', () => {
  it('is asked for and mapped as models expect it', async () => {
    const { server, response, values } = await ask(
      {
        model: ' tiny-1 ',
        temperature: 0.2,
        messages: [
          { role: 'system', content: 'Answer in one line.' },
          { role: 'Dialogue', dialogueVariableId: 'vHistory' },
          { role: 'user', content: '{{Ask}}' },
        ],
        responseMapping: [...reply, { item: 'Total tokens', variableId: 'vTokens' }],
      },
      {
        values: { History: ['Hi', 'Hello, I am Ada'], Ask: 'Opening hours?' },
        answers: [says('9 to 5.', { usage: usageOf(31, 4) })],
      },
    )
    const [request] = server.requests
    expect(request?.method).toBe('POST')
    expect(request?.target).toBe('/v1/chat/completions')
    expect(request?.headers.get('authorization')).toBe('Bearer k-1')
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(request?.body).toBe(
      '{"model":"tiny-1","temperature":0.2,"messages":[' +
        '{"role":"system","content":"Answer in one line."},{"role":"user","content":"Hi"},' +
        '{"role":"assistant","content":"Hello, I am Ada"},{"role":"user","content":"Opening hours?"}]}',
    )
    expect(await values()).toMatchObject({ Reply: '9 to 5.', Tokens: '35' })
    expect(response).not.toHaveProperty('logs')
    expect(response['messages']).toMatchObject([{ id: 'on' }])
  })

  it.each(chatCompletionTypes)('is asked of %s alike', async (type) => {
    const { server, values } = await ask({}, { type })
    expect(server.requests).toHaveLength(1)
    expect(await values()).toMatchObject({ Reply: 'Hello' })
  })

  it('is asked of the account of its type when the block names none', async () => {
    const { server } = await ask({ credentialsId: undefined })
    expect(server.requests).toHaveLength(1)
  })

  it('never goes to an address that the block names', async () => {
    const { server } = await ask({ baseUrl: 'http://127.0.0.1:1/v1', apiVersion: '1' })
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, Json, Json[]]>([
    [
      'user first',
      { startsBy: 'user' },
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    ],
    [
      'user first, unless told',
      {},
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    ],
    [
      'assistant first',
      { startsBy: 'assistant' },
      [
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: 'c' },
      ],
    ],
  ])('takes the elements of a dialogue by turns: %s', async (_, row, messages) => {
    const dialogue = { role: 'Dialogue', dialogueVariableId: 'vHistory', ...row }
    const { server } = await ask({ messages: [dialogue] }, { values: { History: ['a', 'b', 'c'] } })
    expect(messagesOf(server.requests[0])).toEqual(messages)
  })

  it.each<[string, Value, Json[]]>([
    ['a single text', 'a', [{ role: 'user', content: 'a' }]],
    [
      'an empty element, which takes its turn',
      ['a', '', 'c'],
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'c' },
      ],
    ],
    ['nothing', null, []],
  ])('reads a dialogue from %s', async (_, History, messages) => {
    const dialogue = { role: 'Dialogue', dialogueVariableId: 'vHistory' }
    const rest = { role: 'system', content: 'S' }
    const { server } = await ask({ messages: [dialogue, rest] }, { values: { History } })
    expect(messagesOf(server.requests[0])).toEqual([...messages, rest])
  })

  it('leaves out messages that say nothing, and roles that are not known', async () => {
    const { server } = await ask({
      messages: [
        { role: 'user', content: '{{Nothing}}' },
        { content: 'nobody' },
        { role: 'tool', content: 'no' },
        { role: 'Dialogue' },
        { role: 'Dialogue', dialogueVariableId: 'vGone' },
        { role: 'user' },
        { role: 'assistant', content: 'yes' },
      ],
    })
    expect(messagesOf(server.requests[0])).toEqual([{ role: 'assistant', content: 'yes' }])
  })

  it('sends what visitors wrote as it is', async () => {
    const typed = '{{Secret}} {{=1+1=}}'
    const { server } = await ask(
      {
        messages: [
          { role: 'user', content: '{{Typed}}' },
          { role: 'Dialogue', dialogueVariableId: 'vHistory' },
        ],
      },
      { values: { Typed: typed, History: [typed], Secret: 's3cret' } },
    )
    expect(messagesOf(server.requests[0])).toEqual([
      { role: 'user', content: typed },
      { role: 'user', content: typed },
    ])
  })

  it.each<[unknown, Json]>([
    [1, { temperature: 1 }],
    [0, { temperature: 0 }],
    ['0.5', { temperature: 0.5 }],
    ['{{Heat}}', { temperature: 0.7 }],
    ['{{Nothing}}', {}],
    ['warm', {}],
  ])('sends the temperature %j as a number, or not at all', async (temperature, sent) => {
    const { server } = await ask({ temperature }, { values: { Heat: '0.7' } })
    const { model: _, messages: __, ...rest } = bodyOf(server.requests[0]!)
    expect(rest).toEqual(sent)
  })

  it('maps each part of an answer, of rows for one variable the first', async () => {
    const rows = ['Message content', 'Total tokens', 'Prompt tokens', 'Completion tokens', 'Message Content']
    const names = ['A', 'B', 'C', 'D', 'E']
    const { values } = await ask(
      {
        responseMapping: [
          ...rows.map((item, index) => ({ item, variableId: `v${names[index]}` })),
          { item: 'Total tokens', variableId: 'vA' },
          { item: 'Colour', variableId: 'vReply' },
          { item: 'Total tokens' },
          { variableId: 'vGone' },
        ],
      },
      {
        values: { A: null, B: null, C: null, D: null, E: null },
        answers: [says('Hi', { usage: usageOf(3, 4) })],
      },
    )
    expect(await values()).toMatchObject({ A: 'Hi', B: '7', C: '3', D: '4', E: 'Hi', Reply: 'old' })
  })

  it('replaces a list, and empties a variable when nothing was said', async () => {
    const replaced = await ask({}, { values: { Reply: ['a'] } })
    expect(await replaced.values()).toMatchObject({ Reply: 'Hello' })
    const emptied = await ask({}, { answers: [says(null)] })
    expect(await emptied.values()).not.toHaveProperty('Reply')
  })

  it('leaves a variable alone when its count is not told', async () => {
    const { values } = await ask({ responseMapping: [{ item: 'Total tokens', variableId: 'vTokens' }] })
    expect(await values()).toMatchObject({ Tokens: 'old' })
  })

  it('joins the parts of a text', async () => {
    const parts = [{ type: 'text', text: 'a' }, { type: 'thinking' }, { type: 'text', text: 'b' }]
    const { values } = await ask({}, { answers: [says(parts)] })
    expect(await values()).toMatchObject({ Reply: 'ab' })
  })
})

describe('a chat completion that cannot be had', () => {
  it.each<[string, Json, string]>([
    ['no model', { model: undefined }, 'No model provided'],
    ['a model of blanks', { model: ' {{Nothing}} ' }, 'No model provided'],
    ['no messages', { messages: undefined }, 'No messages provided'],
    [
      'messages that say nothing',
      { messages: [{ role: 'user', content: '{{Nothing}}' }] },
      'No messages provided',
    ],
    ['neither', { model: '', messages: [] }, 'No model provided'],
    ['unknown credentials', { credentialsId: 'c2' }, 'Could not find credentials for block openai'],
    ['no action', { action: undefined }, 'openai is not configured'],
    [
      'an action that its maker has shut down',
      { action: 'Ask Assistant' },
      'Ask Assistant is not available on this server',
    ],
  ])('leaves one log and the way open: %s', async (_, options, description) => {
    const { server, response, values } = await ask(options)
    expect(response['logs']).toEqual([{ status: 'error', description }])
    expect(response['messages']).toMatchObject([{ id: 'on' }])
    expect(await values()).toMatchObject({ Reply: 'old' })
    expect(server.requests).toEqual([])
  })

  const context = 'While generating chat completion'

  it.each<[string, Buffer, Json]>([
    [
      'a wrong key, which the server repeats',
      httpAnswer(401, `{"error":"Incorrect key ${apiKey}"}`),
      {
        description: "The model's server answered 401",
        details: expect.stringMatching(/^Renew .*\n{"error":"Incorrect key \*{6}"}$/),
      },
    ],
    [
      'too many requests',
      httpAnswer(429, 'slow down', soon),
      {
        description: "The model's server answered 429",
        details: expect.stringMatching(/^Ask less often.*\nslow down$/),
      },
    ],
    [
      'a defect',
      httpAnswer(500, '<html>', soon),
      {
        description: "The model's server answered 500",
        details: expect.stringMatching(/^Try again later.*\n<html>$/),
      },
    ],
    [
      'no JSON',
      httpAnswer(200, '{"choices":['),
      { description: "The model's server answered no JSON", details: '{"choices":[' },
    ],
    [
      'no choices',
      httpAnswer(200, '{"choices":[]}'),
      { description: "The model's server answered without a message", details: '{"choices":[]}' },
    ],
    [
      'a wrong key, in what counts as a success',
      httpAnswer(200, `{"error":{"message":"Invalid key Bearer ${apiKey}"}}`),
      {
        description: "The model's server answered without a message",
        details: '{"error":{"message":"Invalid key Bearer ******"}}',
      },
    ],
    [
      'no object',
      httpAnswer(200, 'null'),
      { description: "The model's server answered without a message", details: 'null' },
    ],
  ])('tells what the server said: %s', async (_, answer, log) => {
    const { response, values, logs } = await ask({}, { answers: () => answer })
    const { description } = log
    expect(response['logs']).toEqual([{ status: 'error', context, description }])
    expect(await logs()).toMatchObject([{ status: 'error', context, ...log }])
    expect(response['messages']).toMatchObject([{ id: 'on' }])
    expect(await values()).toMatchObject({ Reply: 'old' })
  })

  it('shows the key nowhere, though the model says it', async () => {
    const answers = [says(`Bearer ${apiKey}`)]
    const said = await ask({}, { answers })
    expect(await said.values()).toMatchObject({ Reply: 'Bearer ******' })
    const options = {
      action: 'Generate variables',
      prompt: 'x',
      variablesToExtract: [{ variableId: 'vReply', type: 'string' }],
    }
    const generated = await ask(options, { answers })
    expect(await generated.logs()).toMatchObject([
      { description: 'The model answered no JSON object', details: 'Bearer ******' },
    ])
  })

  it('reports no more than the beginning of a long answer', async () => {
    const { logs } = await ask({}, { answers: () => httpAnswer(400, 'x'.repeat(100_000)) })
    const details = (await logs())?.[0]?.details
    expect(details).toMatch(/^Correct [^x]+\nx+\.\.\.$/)
    expect(details).toHaveLength(1003)
  })

  it('reports when the connection breaks', async () => {
    const { response } = await ask({}, { answers: () => (socket) => socket.destroy() })
    expect(response['logs']).toMatchObject([{ status: 'error', context }])
  })

  it('ends with the turn when the server is slow', async () => {
    const chat = { limits: { ...defaultLimits, wholeTurnMs: 50 } }
    const { response } = await ask({}, { answers: () => undefined, chat })
    expect(response['logs']).toMatchObject([{ context, description: 'The model did not answer in time' }])
  })

  it('says nothing as long as it is not set up', () => {
    const prepared = prepareBlock(chatCompletion, { id: 'x1', type: 'openai' })
    expect(prepared.run()).toEqual({})
    expect(prepared.receive('text')).toEqual({})
    expect(chatCompletion.isPassThrough?.({ id: 'x1', type: 'openai' })).toBe(true)
  })

  it('reports to the author what will not work', () => {
    const options = (more: Json) => ({
      id: 'x1',
      type: 'openai',
      options: { action: 'Create chat completion', ...more },
    })
    const findings = (more: Json) => prepareBlock(chatCompletion, options(more)).findings
    expect(findings({ action: 'Compose music' })).toMatchObject([{ code: 'not-available', at: '' }])
    expect(findings({ temperature: 'warm' })).toMatchObject([
      { code: 'invalid-option', at: '/options/temperature' },
    ])
  })
})

describe('a preview', () => {
  it('asks no model where previews send nothing', async () => {
    const definition = {
      variables: variables({ Reply: 'old' }),
      blocks: [
        {
          id: 'x1',
          type: 'openai',
          options: {
            action: 'Create chat completion',
            credentialsId: 'c1',
            model: 'm',
            messages: [{ role: 'user', content: 'Hi' }],
          },
        },
      ],
    }
    const { chat, server } = await createModelWorld({ definition })
    const response = await chat.startPreview(previewRequest({ flow: wholeDefinition(definition) }))
    expect(parseWire(response)['logs']).toMatchObject([
      { description: 'Requests are not sent from this preview' },
    ])
    expect(server.requests).toEqual([])
  })
})

const weather = {
  type: 'function',
  name: 'weather',
  description: 'Of {{Place}}',
  parameters: [
    { type: 'string', name: 'city', description: 'Where' },
    { type: 'enum', name: 'unit', required: false, values: ['C', 'F'] },
    { type: 'number', name: 'days', required: true },
    { type: 'enum', name: 'nothing' },
    { type: 'string' },
  ],
  code: 'return `${city} ${days} ${unit}`',
}

/** The messages that a model gets back from its functions. */
const toldBy = (request: { body: string } | undefined) =>
  ((messagesOf(request) as Json[] | undefined) ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)

const tool = (name: string, code: string, ...parameters: string[]) => ({
  name,
  code,
  parameters: parameters.map((parameter) => ({ type: 'string', name: parameter })),
})

describe('functions that a model has called', () => {
  it('are described to it, called, and answered', async () => {
    const { server, values, response } = await ask(
      { tools: [weather], responseMapping: [...reply, { item: 'Total tokens', variableId: 'vTokens' }] },
      {
        values: { Place: 'Rome' },
        answers: [
          calls(['weather', { city: 'Ulm', days: 2 }], ['weather', { city: 'Bonn', days: 1, unit: 'F' }]),
          says('Mild', { usage: usageOf(10, 1) }),
        ],
      },
    )
    const [first, second] = server.requests.map(bodyOf)
    expect(first).toMatchObject({
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'Of Rome',
            parameters: {
              type: 'object',
              properties: {
                city: { type: 'string', description: 'Where' },
                unit: { type: 'string', enum: ['C', 'F'] },
                days: { type: 'number' },
              },
              required: ['city', 'days'],
              additionalProperties: false,
            },
            strict: false,
          },
        },
      ],
      tool_choice: 'auto',
    })
    expect(second?.['tools']).toEqual(first?.['tools'])
    expect(second?.['messages']).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 't0', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm","days":2}' } },
          {
            id: 't1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Bonn","days":1,"unit":"F"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 't0', content: 'Ulm 2 undefined' },
      { role: 'tool', tool_call_id: 't1', content: 'Bonn 1 F' },
    ])
    expect(await values()).toMatchObject({ Reply: 'Mild', Tokens: '18' })
    expect(response).not.toHaveProperty('logs')
  })

  it.each<[string, string, string]>([
    ['a text', 'return "a"', 'a'],
    ['a number', 'return 5', '5'],
    ['an object', 'return {a: [1, null]}', '{"a":[1,null]}'],
    ['nothing', '1 + 1', ''],
    ['a promise', 'return await Promise.resolve("later")', 'later'],
    ['a big integer', 'return 12n', '12'],
    ['a variable, whatever it holds', 'return {{Quote}}', '"; throw 1 //{{Secret}}'],
  ])('give the model %s', async (_, code, told) => {
    const { server } = await ask(
      { tools: [tool('f', code)] },
      {
        values: { Quote: '"; throw 1 //{{Secret}}', Secret: 's' },
        answers: [calls(['f', {}]), says('done')],
      },
    )
    expect(toldBy(server.requests[1])).toEqual([told])
  })

  it('write variables by name, which the next call sees', async () => {
    const { server, values } = await ask(
      {
        tools: [
          tool(
            'set',
            'setVariable("Count", (Number({{Count}}) || 0) + Number(by)); setVariable("Nobody", 1)',
            'by',
          ),
          tool('get', 'return {{Count}}'),
        ],
      },
      {
        values: { Count: null },
        answers: [calls(['set', { by: 2 }], ['get', {}]), calls(['set', { by: 3 }]), says('done')],
      },
    )
    expect(toldBy(server.requests[2])).toEqual(['', '2', ''])
    expect(await values()).toMatchObject({ Reply: 'done', Count: '5' })
    expect(await values()).not.toHaveProperty('Nobody')
  })

  it.each<[string, [string, unknown], string]>([
    ['throws', ['f', {}], 'no'],
    ['does not exist', ['g', {}], 'There is no such function'],
    ['gets what is no JSON', ['f', '{'], 'The arguments are not valid JSON'],
  ])('tell the model and the author when one %s', async (_, call, description) => {
    const context = 'While executing function'
    const { server, response, values } = await ask(
      { tools: [tool('f', 'throw new Error("no")')] },
      { answers: [calls(call), says('sorry')] },
    )
    expect(toldBy(server.requests[1])).toEqual([JSON.stringify({ context, description })])
    expect(response['logs']).toEqual([
      { status: 'error', context, description: `${call[0]}: ${description}` },
    ])
    expect(await values()).toMatchObject({ Reply: 'sorry' })
  })

  it('are called for at most six answers', async () => {
    const { server, values, response } = await ask(
      { tools: [tool('f', 'setVariable("Reply", "from f"); return 1')] },
      { answers: () => calls(['f', {}]) },
    )
    expect(server.requests).toHaveLength(6)
    expect(await values()).not.toHaveProperty('Reply')
    expect(response['messages']).toMatchObject([{ id: 'on' }])
  })

  it('have written nothing when the model fails in the end', async () => {
    const { values } = await ask(
      { tools: [tool('f', 'setVariable("Tokens", "new")')] },
      { answers: [calls(['f', {}]), ...failing()] },
    )
    expect(await values()).toMatchObject({ Reply: 'old', Tokens: 'old' })
  })

  it('are left out without a name or code', async () => {
    const tools = [{ name: 'a' }, { code: 'return 1' }, { type: 'other', name: 'b', code: 'return 1' }]
    const { server } = await ask({ tools })
    expect(bodyOf(server.requests[0]!)).not.toHaveProperty('tools')
  })

  it('may be called with an object, and without an id', async () => {
    const message = { tool_calls: [{ function: { name: 'f', arguments: { a: 'x' } } }] }
    const { server } = await ask(
      { tools: [tool('f', 'return a', 'a')] },
      { answers: [httpAnswer(200, JSON.stringify({ choices: [{ message }] })), says('done')] },
    )
    expect((messagesOf(server.requests[1]) as Json[]).at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call-0',
      content: 'x',
    })
  })
})

describe('variables that a model generates', () => {
  const options = {
    action: 'Generate variables',
    prompt: 'Read: {{Text}}',
    variablesToExtract: [
      { variableId: 'vMood', type: 'enum', values: ['good', 'bad'], description: 'Of {{Who}}' },
      { variableId: 'vAge', type: 'number', isRequired: false },
      { variableId: 'vTags', type: 'array' },
      { variableId: 'vOld' },
    ],
  }
  const values = {
    Text: '{{Secret}} is 42',
    Who: 'Ada',
    Mood: null,
    Age: null,
    Tags: null,
    Old: 'kept',
    Secret: 's',
  }

  it('are asked for as one JSON object, and written', async () => {
    const content = '```json\n{"Mood":"good","Age":42,"Tags":["a","b"],"Old":null,"More":1}\n```'
    const asked = await ask(options, { values, answers: [says(content)] })
    const { messages, ...body } = bodyOf(asked.server.requests[0]!)
    expect(body).toEqual({ model: 'tiny-1', response_format: { type: 'json_object' } })
    const [message] = messages as { role: string; content: string }[]
    expect(message?.role).toBe('user')
    expect(message?.content.startsWith('Read: {{Secret}} is 42\n\n')).toBe(true)
    expect(JSON.parse(message!.content.slice(message!.content.indexOf('{"type"')))).toEqual({
      type: 'object',
      properties: {
        Mood: { type: 'string', enum: ['good', 'bad'], description: 'Of Ada' },
        Age: { type: 'number' },
        Tags: { type: 'array', items: { type: 'string' } },
        Old: { type: 'string' },
      },
      required: ['Mood', 'Tags', 'Old'],
      additionalProperties: false,
    })
    expect(await asked.values()).toMatchObject({ Mood: 'good', Age: '42', Tags: ['a', 'b'], Old: 'kept' })
    expect(asked.response).not.toHaveProperty('logs')
  })

  it.each<[string, Json, string]>([
    ['a prompt', { prompt: '' }, 'No prompt provided'],
    ['a model', { model: '' }, 'No model provided'],
    ['variables', { variablesToExtract: [] }, 'Could not parse variables to extract'],
    [
      'variables that the flow has',
      { variablesToExtract: [{ variableId: 'gone' }, {}] },
      'Could not parse variables to extract',
    ],
    [
      'words to choose from',
      { variablesToExtract: [{ variableId: 'vMood', type: 'enum' }] },
      'Could not parse variables to extract',
    ],
  ])('need %s', async (_, more, description) => {
    const { server, response } = await ask({ ...options, ...more }, { values })
    expect(response['logs']).toEqual([{ status: 'error', description }])
    expect(server.requests).toEqual([])
  })

  it.each(['I do not know', '} {', '{"Mood":', '[1]'])(
    'are left alone when the model answers %j',
    async (content) => {
      const asked = await ask(options, { values, answers: [says(content)] })
      expect(await asked.logs()).toMatchObject([
        {
          status: 'error',
          context: 'While generating variables',
          description: 'The model answered no JSON object',
          details: content,
        },
      ])
      expect(await asked.values()).toMatchObject({ Old: 'kept' })
    },
  )

  it('are left alone when the model fails', async () => {
    const asked = await ask(options, { values, answers: failing('no') })
    expect(await asked.logs()).toMatchObject([
      { context: 'While generating variables', details: expect.stringMatching(/\nno$/) },
    ])
  })
})
