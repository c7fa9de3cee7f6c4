import { expect, it, vi } from 'vitest'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { openService } from './open-service.ts'

const email = 'canary-person@shop.example'
const pin = 'canary-secret-8264'

const careful = wholeDefinition({
  variables: [
    variable('Email', { sensitivity: 'personal' }),
    variable('PIN', { sensitivity: 'secret' }),
    variable('utm_source', { sensitivity: 'personal' }),
    variable('Reply'),
  ],
  blocks: [
    { id: 'i1', type: 'email input', options: { variableId: 'vEmail' } },
    textInput('i2', 'vPIN'),
    {
      id: 'q1',
      type: 'openai',
      options: {
        action: 'Create chat completion',
        credentialsId: 'tiny',
        model: 'tiny-1',
        messages: [{ role: 'user', content: 'Greet {{Email}}, whose PIN is {{PIN}}' }],
        responseMapping: [{ item: 'Message content', variableId: 'vReply' }],
      },
    },
    bubble('b1', '{{Reply}} {{Email}} {{PIN}}'),
    textInput('i3'),
  ],
})

const completion = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
})

/** The service, where everything that is ever told or written down of a conversation is. */
async function openCareful() {
  const models = await startRawHttpServer(() => httpAnswer(200, completion))
  const account = { id: 'tiny', type: 'openai', data: { apiKey: 'k', baseUrl: `${models.url}/v1` } }
  const { credentials } = readCredentials(JSON.stringify([account]), {})
  const told = { destination: 'webhook:crm', includesContent: true }
  const service = await openService([careful], {
    allow: '127.0.0.1',
    credentials,
    subscribers: { isEmpty: false, wanting: () => [told] },
    recordings: { maxLength: 100_000, live: { share: 1, isForErrors: false } },
    previewToken: 'preview-t0ken',
    adminTokens: [
      { name: 'ann', token: 't0ken-of-ann' },
      { name: 'desk', token: 't0ken-of-desk', rights: { scopes: ['results', 'operate'] } },
    ],
  })
  const { say } = service
  const converse = async ({ body: { sessionId } }: { body: Json }) => {
    for (const message of ['canary-refused', email, pin]) await say(String(sessionId), message)
    return String(sessionId)
  }
  return { ...service, models, converse }
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })

it('What somebody says of themselves is read by whom it is not meant for', async () => {
  const { app, world, post, start, preview, models, converse, logLines } = await openCareful()
  const kept = [vi.spyOn(world.conversations, 'commit'), vi.spyOn(world.conversations, 'start')]
  const begun = await start({ prefilledVariables: { utm_source: 'canary-source' } })
  await converse(begun)
  const trusted = headersOf('preview-t0ken')
  const { body: tried } = await preview({ flow: careful, trace: true }, trusted)
  await converse({ body: tried })

  const results = '/v1/flows/flow-1/results'
  const row = { key: '1', createdAt: '2025-06-03T14:15:00Z', cells: ['canary-imported', pin] }
  const table = { columns: ['Email', 'PIN'], rows: [row] }
  const imported = await post(`${results}/import`, table, headersOf('t0ken-of-desk'))
  expect(imported.body).toMatchObject({ imported: 1 })
  const read = async (url: string, token: string) => {
    const { statusCode, body } = await app.inject({ url, headers: headersOf(token) })
    expect([url, statusCode]).toEqual([url, 200])
    return body
  }
  const readByMany = {
    results,
    table: `${results}?format=csv`,
    export: `${results}/export`,
    result: `${results}/${begun.body.resultId}`,
    recording: `${results}/${begun.body.resultId}/recording`,
    cohorts: '/v1/flows/flow-1/analytics?by=utm_source',
  }
  const told: Record<string, string> = {
    trace: await read(`/v1/sessions/${tried.sessionId}/trace`, 'preview-t0ken'),
    events: JSON.stringify(
      kept
        .flatMap(({ mock }) => mock.calls.flat())
        .flatMap((part) => ('outgoing' in part ? part.outgoing : [])),
    ),
    prompts: JSON.stringify(models.requests.map(({ body }) => body)),
    log: JSON.stringify(logLines),
  }
  for (const [name, url] of Object.entries(readByMany)) told[name] = await read(url, 't0ken-of-desk')
  const leaks = Object.entries(told).flatMap(([where, text]) =>
    [...new Set(text.match(/canary-\w+/g))].map((found) => `${found} in ${where}`),
  )
  expect(leaks, leaks.join('; ')).toEqual([])
  for (const where of ['results', 'table', 'export', 'result', 'recording', 'trace', 'events', 'prompts'])
    expect(told[where]).toContain('[PIN]')
  // Who may read personal values still reads no secret.
  const whole = await read(results, 't0ken-of-ann')
  expect([whole.includes(email), whole.includes(pin)]).toEqual([true, false])
})
