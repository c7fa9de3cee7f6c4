import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts'
import { bubble, endlessFlow, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { defaultLimits } from '../support/limits.ts'
import { countOf, seriesIn } from '../support/metrics-text.ts'
import { createTestChat } from '../support/start.ts'

const greeting = wholeDefinition({
  blocks: [bubble('b1'), textInput('b2', 'vName')],
  variables: [variable('Name')],
})

/** The service, reached over the network: a framework would not let a strange method pass in a test. */
async function listen() {
  const { metrics, text } = createPrometheus()
  // A status that no system should answer with.
  const http = {
    send: async () => ({ kind: 'response', status: 799, text: '' }) as const,
    stream: () => Promise.reject(new Error('there is no network here')),
    close: async () => undefined,
  }
  const limits = { ...defaultLimits, variableLength: 100, callsPerTurn: 1 }
  const { chat } = createTestChat([greeting], { metrics, http, limits, previewHttp: 'on' })
  const { app } = await buildTestApp({ chat, requestAnswered: metrics.requestAnswered })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  function send(method: string, path: string, body?: string | object): Promise<Json> {
    const content = typeof body === 'object' ? JSON.stringify(body) : body
    return new Promise((resolve) => {
      const headers = content === undefined ? {} : { 'content-type': 'application/json' }
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
        const answer = Buffer.concat(await response.toArray()).toString()
        resolve(answer.startsWith('{') ? JSON.parse(answer) : {})
      })
      sent.on('error', () => resolve({}))
      sent.end(content)
    })
  }
  return { send, text }
}

type Send = Awaited<ReturnType<typeof listen>>['send']

/** A draft in which everything that a stranger may call by a name has this one. */
const draftNamed = (name: string): Json => ({
  ...wholeDefinition({
    id: name,
    groups: [
      {
        id: name,
        title: name,
        blocks: [
          { id: `${name}-0`, type: name },
          setVariable(`${name}-1`, 'v', { type: 'Custom', expressionToEvaluate: name.repeat(200) }),
          ...[1, 2].map((nth) => ({
            id: `${name}-h${nth}`,
            type: 'Webhook',
            options: { webhook: { url: `https://${name}.example`, method: 'GET' } },
          })),
          textInput(`${name}-2`),
        ],
      },
    ],
    variables: [{ id: 'v', name }],
  }),
})

/** One of everything that strangers can send, under a name of their choice. */
async function sendAll(send: Send, name: string, method: string): Promise<void> {
  const { sessionId } = await send('POST', '/v1/flows/flow-1/startChat', {})
  await send('POST', `/v1/sessions/${String(sessionId)}/continueChat`, { message: name })
  await send('POST', `/v1/sessions/${name}/continueChat`, { message: { type: 'command', command: name } })
  await send('POST', `/v1/flows/${name}/startChat`, {})
  await send('POST', `/v1/flows/${name}/preview/startChat`, { sessionId: name, flow: draftNamed(name) })
  await send('POST', `/v1/flows/${name}/preview/startChat`, { flow: { id: name } })
  await send('POST', `/v1/flows/${name}/preview/startChat`, { flow: endlessFlow })
  await send('POST', `/v1/flows/${name}/startChat`, `{"${name}`)
  await send('GET', `/${name}/${name}?${name}=${name}`)
  await send('GET', `/v1/flows/%${name}/startChat`)
  await send('PUT', `/uploads/${name}`)
  await send('GET', `/uploads/${name}/${name}`)
  await send('OPTIONS', `/${name}`)
  await send(method, `/${name}`)
  await send(method, '/health')
}

it('counts in the same series whatever strangers call things', async () => {
  const { send, text } = await listen()
  await sendAll(send, 'first', 'PURGE')
  const before = seriesIn(await text()).filter((series) => series.startsWith('flow_'))
  const methods = ['PROPFIND', 'TRACE', 'LOCK', 'REPORT', 'M-SEARCH', 'SEARCH']
  for (const [index, method] of methods.entries()) await sendAll(send, `stranger${index}`, method)
  const after = await text()
  expect(seriesIn(after).filter((series) => series.startsWith('flow_'))).toEqual(before)
  expect(after).not.toMatch(/stranger|first/)
  const times = methods.length + 1
  const counts = {
    'flow_starts_total{flow="flow-1"}': times,
    'flow_starts_total{flow="other"}': 0,
    'flow_completions_total{flow="flow-1"}': times,
    'requests_total{route="unknown",method="other",status="404"}': times,
    'requests_total{route="unknown",method="other",status="405"}': times,
    'requests_total{route="unknown",method="GET",status="404"}': times,
    'requests_total{route="unknown",method="GET",status="400"}': times,
    'outgoing_requests_total{outcome="other"}': times,
    'outgoing_requests_total{outcome="spent"}': times,
    'limits_reached_total{limit="callsPerTurn"}': times,
    'limits_reached_total{limit="blocksPerTurn"}': times,
    'limits_reached_total{limit="variableLength"}': times,
  }
  const found = Object.keys(counts).map((series) => [series, countOf(after, `flow_runtime_${series}`)])
  expect(Object.fromEntries(found)).toEqual(counts)
})
