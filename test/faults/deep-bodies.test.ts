import { describe, expect, it } from 'vitest'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { createTestChat } from '../support/start.ts'

const levels = 100_000

const deepValues = [
  ['lists', '['.repeat(levels) + ']'.repeat(levels)],
  ['objects', `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
] as const

const listening = { id: 'listener', type: 'webhook' }
const flow = wholeDefinition({
  blocks: [listening, textInput('said', 'vA'), bubble('told', '{{A}}')],
  variables: [variable('A')],
})

/** Stands in a body for what is nested. */
const deep = 'DEEP'
const message = (more: Json) => ({ message: { type: 'text', text: 'x', ...more } })

type Urls = { readonly session: string; readonly listener: string }

const start = () => '/v1/flows/flow-1/startChat'
const preview = () => '/v1/flows/x/preview/startChat'
const goOn = ({ session }: Urls) => `/v1/sessions/${session}/continueChat`
const logs = ({ session }: Urls) => `/v2/sessions/${session}/clientLogs`
const upload = () => '/v3/generate-upload-url'

/** Where an object is right and a list is not. */
const either = expect.toSatisfy((status) => status === 200 || status === 400)

const bodies: [name: string, url: (urls: Urls) => string, body: unknown, status: unknown][] = [
  ['a message on a start', start, { message: deep }, 400],
  ['a text on a start', start, message({ text: deep }), 400],
  ['prefilled variables', start, { prefilledVariables: deep }, either],
  ['a prefilled variable', start, { prefilledVariables: { A: deep } }, 200],
  ['an unknown variable', start, { prefilledVariables: { Z: deep } }, 200],
  ['an unknown key of a start', start, { unknown: deep }, 200],
  ['a message', goOn, { message: deep }, 400],
  ['a text', goOn, message({ text: deep }), 400],
  ['metadata', goOn, message({ metadata: deep }), either],
  ['an unknown key of metadata', goOn, message({ metadata: { replyId: '1', unknown: deep } }), 200],
  ['attachments', goOn, message({ attachedFileUrls: deep }), 400],
  ['a command', goOn, { message: { type: 'command', command: deep } }, 400],
  ['a whole body', goOn, deep, either],
  ['a text of brackets', goOn, { message: '['.repeat(16_000) }, 200],
  ['a definition', preview, { flow: deep }, 400],
  ['groups', preview, { flow: { ...flow, groups: deep } }, 400],
  ['a theme', preview, { flow: { ...flow, theme: { customCss: deep } } }, 400],
  ['settings', preview, { flow: { ...flow, settings: { unknown: deep } } }, 400],
  ['a declared value', preview, { flow: { ...flow, variables: [variable('A', { value: deep })] } }, 400],
  ['an unknown key of a definition', preview, { flow: { ...flow, unknown: deep } }, 400],
  ['where a preview starts', preview, { flow, startFrom: deep }, 400],
  ['the group where a preview starts', preview, { flow, startFrom: { type: 'group', groupId: deep } }, 400],
  ['the session of a preview', preview, { flow, sessionId: deep }, 400],
  ['logs of a client', logs, { clientLogs: deep }, 400],
  ['details of a log', logs, { clientLogs: [{ description: 'x', details: deep }] }, 400],
  ['an unknown key of a log', logs, { clientLogs: [{ description: 'x', unknown: deep }] }, 200],
  ['the session of an upload', upload, { sessionId: deep }, 400],
  ['what a listener is told', ({ listener }) => listener, { data: deep }, 400],
  ['the body of an update', ({ session }) => `/v1/sessions/${session}/updateFlow`, deep, 200],
]

/** The service, with a session that waits. */
async function startService() {
  const { chat } = createTestChat([flow])
  const { app } = await buildTestApp({ chat, config: { adminTokens: adminTokens('4dmin') } })
  const post = (url: string, payload: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/json', authorization: 'Bearer 4dmin', ...headers },
    })
  const { sessionId, resultId } = (await post(start(), '{}')).json()
  const listener = `/v1/flows/flow-1/blocks/listener/results/${resultId}/executeWebhook`
  return { post, urls: { session: sessionId, listener } }
}

describe.each(deepValues)('a hundred thousand %s inside each other', (_kind, text) => {
  it.each(bodies)('as %s get a clear answer', async (_name, url, body, status) => {
    const { post, urls } = await startService()
    const payload = JSON.stringify(body).replace(`"${deep}"`, text)
    const plain = await post(url(urls), payload)
    expect(plain.statusCode).toEqual(status)
    if (plain.statusCode === 400) expect(plain.json().message).not.toBe('')
    const repeatable = await post(url(urls), payload, { 'idempotency-key': 'k' })
    expect(repeatable.statusCode).toBeLessThan(500)
    expect((await post(start(), '{}')).statusCode).toBe(200)
  })
})
