import { describe, expect, it } from 'vitest'
import { anonymous } from '../../../src/ports/caller.ts'
import {
  calls,
  eventsOf,
  says,
  startAsking,
  streams,
  usageOf,
  variables,
} from '../../fixtures/asking-models.ts'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { attributesOf, type SentSpan, startTracing } from '../../support/otlp-collector.ts'
import { httpAnswer, type RawAnswer } from '../../support/raw-http-server.ts'

const ofModels = {
  action: 'Create chat completion',
  credentialsId: 'c1',
  model: 'tiny-1',
  messages: [{ role: 'user', content: 'About {{Secret}}?' }],
  responseMapping: [{ variableId: 'vReply' }],
  tools: [{ type: 'function', name: 'look_up', code: 'return Secret_1 + {{Secret}}', parameters: [] }],
}

interface Given {
  readonly answers: readonly RawAnswer[]
  readonly body?: Json
  readonly capturesMessages?: boolean
}

/** A conversation with a model, and the spans that tell of it. */
async function hold({ answers, body = {}, capturesMessages = false }: Given) {
  const { spans, collected, bodies } = await startTracing({ capturesMessages })
  const started = await startAsking({
    definition: {
      variables: variables({ Reply: '', Secret: 's3cret' }),
      blocks: [
        { id: 'x1', type: 'openai', options: ofModels },
        bubble('said', '{{Reply}}'),
        textInput('end'),
      ],
    },
    body,
    answers,
    chat: { spans },
  })
  return { ...started, collected, bodies }
}

const named = (spans: readonly SentSpan[], name: string) => {
  const found = spans.find((span) => span.name === name)
  return found ? attributesOf(found) : expect.fail(`no span is called ${name}`)
}

const toolThenWords = () => [calls(['look_up', {}]), says('It is s3cret', { usage: usageOf(10, 1) })] as const

describe('the span of a turn', () => {
  it('holds those of the functions that a model has called, by their names', async () => {
    const { collected, bodies } = await hold({ answers: toolThenWords() })
    const spans = await collected()
    const [turn] = spans.filter(({ name }) => name === 'flow.turn')
    expect(spans.filter(({ parentSpanId }) => parentSpanId === turn?.spanId).map(({ name }) => name)).toEqual(
      ['chat tiny-1', 'execute_tool look_up', 'chat tiny-1'],
    )
    expect(named(spans, 'execute_tool look_up')).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look_up',
      'gen_ai.tool.call.id': 't0',
      'flow.code.outcome': 'thrown',
    })
    expect(JSON.stringify(bodies)).not.toContain('s3cret')
  })

  it('tells what was said to models and by them where the operator asks for it', async () => {
    const { collected } = await hold({ answers: toolThenWords(), capturesMessages: true })
    const [, last] = (await collected()).filter(({ name }) => name === 'chat tiny-1').map(attributesOf)
    expect(JSON.parse(String(last?.['gen_ai.input.messages']))).toMatchObject([
      { role: 'user', parts: [{ type: 'text', content: 'About s3cret?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 't0', name: 'look_up', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 't0' }] },
    ])
    expect(JSON.parse(String(last?.['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'It is s3cret' }], finish_reason: 'stop' },
    ])
  })

  it('comes to no harm by a model that answers anything', async () => {
    const message = {
      role: { toString: 1 },
      content: [{ type: {} }, null],
      tool_calls: [null, { function: 1 }],
    }
    const odd = httpAnswer(200, JSON.stringify({ choices: [{ message, finish_reason: {} }, null] }))
    const { response, collected } = await hold({ answers: [odd, says('Bye')], capturesMessages: true })
    expect(response['input']).toMatchObject({ id: 'end' })
    expect(named(await collected(), 'chat tiny-1')).toHaveProperty(['gen_ai.input.messages'])
  })

  it('is sent for a turn that is refused, with the code of the refusal', async () => {
    const { chat, collected } = await hold({ answers: [says('Hello')] })
    const body = { message: { type: 'command', command: 'nobody listens' } } as const
    await expect(
      chat.continue({ caller: anonymous, sessionId: 'session-1', origin: undefined, body }),
    ).rejects.toThrow()
    const [, refused] = (await collected()).filter(({ name }) => name === 'flow.turn').map(attributesOf)
    expect(refused).toMatchObject({
      'flow.entry': 'continue',
      'flow.id': 'flow-1',
      'error.type': 'BAD_REQUEST',
    })
  })

  it.each([
    ['to its end', streams(eventsOf(['9 to', ' 5.'], usageOf(31, 4))), undefined],
    ['in vain', httpAnswer(400, '{}'), 'SERVICE_UNAVAILABLE'],
  ])('is sent for an answer that is streamed %s', async (_, answer, error) => {
    const { chat, collected } = await hold({ answers: [answer], body: { isStreamEnabled: true } })
    const signal = new AbortController().signal
    const read = async () => {
      for await (const _ of await chat.streamMessage({
        caller: anonymous,
        sessionId: 'session-1',
        origin: undefined,
        signal,
      }));
    }
    await read().catch(() => undefined)
    const spans = await collected()
    const streamed = spans.find((span) => attributesOf(span)['flow.entry'] === 'stream')
    expect(attributesOf(streamed!)['error.type']).toBe(error)
    const question = spans.find(({ parentSpanId }) => parentSpanId === streamed!.spanId)
    expect(question?.name).toBe('chat tiny-1')
    expect(attributesOf(question!)['error.type']).toBe(error)
  })
})
