import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOtlpSpans } from '../../../src/adapters/telemetry/otlp-spans.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import type { RequestLog } from '../../../src/ports/request-log-port.ts'
import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { nowhere } from '../../support/nowhere.ts'
import { attributesOf, startCollector, startTracing } from '../../support/otlp-collector.ts'
import { sandbox } from '../../support/sandbox.ts'
import { createTestChat } from '../../support/start.ts'

const nobody: ReadonlySet<string> = new Set()

/** Counts by what became of spans. */
function counts() {
  const counted = { sent: 0, failed: 0, dropped: 0 }
  return {
    counted,
    count: (outcome: keyof typeof counted, by: number) => {
      counted[outcome] += by
    },
  }
}

const flow = wholeDefinition({
  variables: [variable('Name'), variable('Sum')],
  blocks: [
    textInput('ask', 'vName'),
    {
      id: 'call',
      type: 'Webhook',
      options: { webhook: { url: 'https://a.example:8443/p4th?name={{Name}}' } },
    },
    setVariable('code', 'vSum', 'JSON.stringify(Array.from({length: 3}, (_, i) => i * {{Name}}.length))'),
    {
      id: 'model',
      type: 'openai',
      options: {
        action: 'Create chat completion',
        model: 'gpt-x',
        credentialsId: 'acc0unt',
        messages: [{ role: 'user', content: '{{Name}}' }],
      },
    },
    bubble('bye', 'Bye {{Name}}'),
    textInput('again'),
  ],
})

const answer = {
  choices: [{ message: { role: 'assistant', content: 's3cret words' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7 },
}

describe('spans sent by OTLP', () => {
  it('tell what a live conversation did: turns, calls, code and questions to models, and nothing that was said', async () => {
    const { endpoint, sent, bodies } = await startCollector()
    const { count, counted } = counts()
    const spans = await openOtlpSpans({
      endpoint,
      maxSpans: 100,
      capturesMessages: false,
      propagatesTo: nobody,
      count,
    })
    const { nowhere } = await import('../../support/nowhere.ts')
    const { chat } = createTestChat([flow], {
      spans,
      sandbox,
      http: {
        ...nowhere.http,
        send: async ({ url }) => ({
          kind: 'response',
          status: url.includes('model.example') ? 200 : 503,
          text: JSON.stringify(url.includes('model.example') ? answer : {}),
        }),
      },
      credentials: {
        ...nowhere.credentials,
        model: () => ({ apiKey: 'k3y', baseUrl: 'https://model.example/v1' }),
      },
    })
    const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const request = spans.begin({ name: 'POST', kind: 'server', attributes: {} }, caller)
    const requestLog: RequestLog = { requestId: 'r1', span: request, turnDone: () => undefined }
    const visit = { origin: undefined, requestLog }
    await chat.startPublished({ ...visit, publicId: 'flow-1', body: {} })
    await chat.continue({
      caller: anonymous,
      ...visit,
      sessionId: 'session-1',
      body: { message: 'Ada L0velace' },
    })
    request.end({})
    await spans.close()

    const server = sent().find(({ kind }) => kind === 2)
    const [first, second] = sent().filter(({ name }) => name === 'flow.turn')
    expect(attributesOf(first!)).toMatchObject({
      'flow.entry': 'start',
      'flow.id': 'flow-1',
      'flow.kind': 'live',
      'flow.public_id': 'flow-1',
      'flow.version': '6.1',
    })
    expect(attributesOf(second!)).toMatchObject({
      'flow.entry': 'continue',
      'flow.ended': false,
      'flow.went': { values: [{ stringValue: 'g1' }] },
    })
    expect(second!.events?.map(({ name }) => name)).toContain('flow.block')
    expect(server!.parentSpanId).toBe('b7ad6b7169203331')
    for (const turn of [first!, second!]) {
      expect([turn.traceId, turn.parentSpanId]).toEqual(['0af7651916cd43dd8448eb211c80319c', server!.spanId])
      expect(BigInt(turn.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(turn.startTimeUnixNano))
    }
    const inside = sent().filter(({ parentSpanId }) => parentSpanId === second!.spanId)
    const byName = Object.fromEntries(inside.map((span) => [span.name, attributesOf(span)]))
    expect(byName['POST']).toEqual({
      'http.request.method': 'POST',
      'server.address': 'a.example',
      'server.port': 8443,
      'http.response.status_code': 503,
      'error.type': '503',
    })
    expect(byName['flow.code']).toMatchObject({ 'flow.code.outcome': 'ok' })
    expect(byName['chat gpt-x']).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
    })
    const all = JSON.stringify(bodies)
    for (const secret of ['L0velace', 's3cret', 'p4th', 'acc0unt', 'k3y', 'session-1']) {
      expect(all).not.toContain(secret)
    }
    expect(counted).toEqual({ sent: sent().length, failed: 0, dropped: 0 })
  })

  it.each([
    [['a.example'], 1],
    [['b.example'], 0],
    [[], 0],
  ])('are named to systems that take part, and to no other: %j', async (hosts, count) => {
    const { spans, collected } = await startTracing({ hosts })
    const headers: string[] = []
    const { chat } = createTestChat([flow], {
      spans,
      sandbox,
      http: {
        ...nowhere.http,
        send: async ({ headers: sent }) => {
          headers.push(...sent.filter(([name]) => name === 'traceparent').map(([, value]) => value))
          return { kind: 'timeout' }
        },
      },
      credentials: {
        ...nowhere.credentials,
        model: () => ({ apiKey: 'k3y', baseUrl: 'https://model.example/v1' }),
      },
    })
    await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
    await chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: { message: 'Ada' },
    })
    const call = (await collected()).find(({ name }) => name === 'POST')
    expect(headers).toEqual(Array(count).fill(`00-${call?.traceId}-${call?.spanId}-01`))
  })

  it('tell starts that are like one before as well', async () => {
    const { spans, collected } = await startTracing()
    const { chat } = createTestChat([flow], { spans })
    for (let nth = 0; nth < 2; nth++)
      await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
    const told = (await collected()).map(attributesOf)
    expect(told.map((span) => [span['flow.entry'], span['flow.blocks']])).toEqual([
      ['start', 1],
      ['start', 1],
    ])
    expect(told[0]!['gen_ai.conversation.id']).not.toBe(told[1]!['gen_ai.conversation.id'])
  })

  it('name the first groups that a turn enters, in order', async () => {
    const loop = wholeDefinition({
      groups: [
        group('g1', leaving(textInput('i'), 'there')),
        group('g2', bubble('b1', 'One'), leaving(bubble('b2', 'Two'), 'on')),
        group('x'.repeat(300), leaving(bubble('b3', 'Three'), 'there')),
      ],
      edges: [edge('there', 'g2'), edge('on', 'x'.repeat(300))],
    })
    const { spans, collected } = await startTracing()
    const { chat } = createTestChat([loop], { spans })
    await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
    await chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: { message: 'Ada' },
    })
    const [, turn] = (await collected()).filter(({ name }) => name === 'flow.turn')
    const { values } = attributesOf(turn!)['flow.went'] as { values: { stringValue: string }[] }
    const went = values.map(({ stringValue }) => stringValue)
    expect([went.length, went.slice(0, 3)]).toEqual([50, ['g2', 'x'.repeat(100), 'g2']])
  })

  it.each(['', 'no-parent', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
    'begin a trace of their own where the caller names none that is one: "%s"',
    async (traceparent) => {
      const { spans, collected } = await startTracing()
      spans.begin({ name: 'a', kind: 'internal', attributes: {} }, traceparent).end({})
      expect((await collected())[0]!.parentSpanId).toBeUndefined()
    },
  )
})

describe('a collector that is in trouble', () => {
  it('makes no turn wait: what has no room is dropped and counted, and closing takes its time only', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const { count, counted } = counts()
    const spans = await openOtlpSpans({
      endpoint: `http://127.0.0.1:${port}/`,
      maxSpans: 300,
      capturesMessages: false,
      propagatesTo: nobody,
      count,
    })
    const { chat } = createTestChat([flow], { spans })
    for (let nth = 0; nth < 700; nth++) {
      await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
    }
    // One batch is under way and a queue is full.
    expect(counted).toEqual({ sent: 0, failed: 0, dropped: 700 - 256 - 300 })
    await spans.close()
    expect(counted.dropped).toBe(700 - 256)
  })

  it('is counted where it refuses', async () => {
    const { endpoint } = await startCollector(400)
    const { count, counted } = counts()
    const spans = await openOtlpSpans({
      endpoint,
      maxSpans: 10,
      capturesMessages: false,
      propagatesTo: nobody,
      count,
    })
    spans.begin({ name: 'a', kind: 'client', attributes: {} }).end({ 'error.type': 'x' })
    await spans.close()
    await delay(0)
    expect(counted).toEqual({ sent: 0, failed: 1, dropped: 0 })
  })
})
