import { describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { httpAnswer, startRawHttpServer } from '../support/raw-http-server.ts'
import { anthropicSays, startAnthropic } from './anthropic.ts'
import { refuseIfWrong } from './chat-completions.ts'
import { message, response, startResponses } from './open-ai-responses.ts'

interface Format {
  /** The address of a server that takes one question. */
  readonly start: () => Promise<string>
  readonly headers: Readonly<Record<string, string>>
  readonly question: Json
}

const bearer = { authorization: 'Bearer sk-1' }
const said = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]

/** The formats of models, each with a question that is right. */
const formats: Readonly<Record<string, Format>> = {
  'chat completions': {
    start: async () => {
      const server = await startRawHttpServer((request) => refuseIfWrong(request) ?? httpAnswer(200))
      return `${server.url}/v1/chat/completions`
    },
    headers: bearer,
    question: { model: 'm', messages: said },
  },
  messages: {
    start: async () => `${(await startAnthropic([anthropicSays([])])).server.url}/v1/messages`,
    headers: { 'x-api-key': 'sk-ant-1', 'anthropic-version': '2023-06-01' },
    question: { model: 'm', max_tokens: 9, messages: said },
  },
  responses: {
    start: async () =>
      `${(await startResponses([{ json: response('resp_1', message('Hi')) }])).server.url}/v1/responses`,
    headers: bearer,
    question: {
      model: 'm',
      store: true,
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    },
  },
}

async function ask(
  { start, headers, question }: Format,
  more: Json = {},
  other: Record<string, string> = {},
) {
  const body = JSON.stringify({ ...question, ...more })
  const sent = { 'content-type': 'application/json', ...headers, ...other }
  return (await fetch(await start(), { method: 'POST', headers: sent, body })).status
}

describe.each(Object.values(formats))('a strict server of models', (format) => {
  it('takes a question that is right', async () => {
    expect(await ask(format)).toBe(200)
  })

  it.each(Object.keys(format.headers))('refuses a question without the right %s', async (name) => {
    expect(await ask(format, {}, { [name]: 'other' })).toBe(401)
  })

  it.each<Json>([
    { surprise: 1 },
    { model: 7 },
    { model: '' },
    { temperature: 'warm' },
    { temperature: 9 },
    { stream: 'yes' },
    { tools: [{ type: 'dance' }] },
    { messages: [], input: [] },
    { messages: [{ role: 'clown', content: 'Hi' }], input: [{ role: 'clown', content: 'Hi' }] },
  ])('refuses %j', async (more) => {
    expect(await ask(format, more)).toBeGreaterThanOrEqual(400)
  })
})

it.each<Json>([
  { messages: [{ role: 'tool', tool_call_id: 't1', content: '2' }] },
  {
    messages: [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'add', arguments: '{}' } }],
      },
      { role: 'user', content: 'Hi' },
    ],
  },
  { tool_choice: 'auto' },
  { stream_options: { include_usage: true } },
  { response_format: { type: 'json_object' } },
])('a strict server of chat completions refuses %j', async (more) => {
  expect(await ask(formats['chat completions'] as Format, more)).toBe(400)
})
