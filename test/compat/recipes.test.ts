import { describe, expect, it } from 'vitest'
import { createModelWorld, eventsOf, says, streams } from '../fixtures/asking-models.ts'
import { bubble, modelQuestion, textInput } from '../fixtures/short-flows.ts'
import { openUploadWorld } from '../fixtures/uploading.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { createTestChat } from '../support/start.ts'

interface Reply {
  readonly sessionId: string
  readonly resultId: string
  readonly messages: readonly { content: { richText: { children: { text?: string }[] }[] } }[]
  readonly input?: { readonly id: string; readonly type: string }
  readonly clientSideActions?: readonly Json[]
}

const shown = ({ messages }: Reply) =>
  messages.flatMap(({ content }) =>
    content.richText.map(({ children }) => children.map((child) => child.text ?? '').join('')),
  )

type World = Pick<Parameters<typeof buildTestApp>[0] & object, 'chat' | 'uploads'>

/** How a recipe talks to a service: any text that is sent and received, and a status other than 200 or 204 is a failure. */
async function serve(world: World) {
  const config = { compat: { trustedViewerOrigins: [] }, adminTokens: adminTokens('adm1n') }
  const { app } = await buildTestApp({ ...world, config })
  const send = async (method: 'GET' | 'POST', url: string, more: Json = {}) => {
    const headers = { host: 'flows.example', authorization: 'Bearer adm1n', ...(more['headers'] as object) }
    const response = await app.inject({ method, url, ...more, headers })
    if (![200, 204].includes(response.statusCode)) throw new Error(`${url}: ${response.body}`)
    return response
  }
  return {
    get: async (url: string) => (await send('GET', url)).body,
    text: async (url: string, payload: object) => (await send('POST', url, { payload })).body,
    post: async (url: string, payload: object = {}): Promise<Reply> =>
      (await send('POST', url, { payload })).json(),
    /** The form of a browser, with what the offer wants sent along. */
    async sendForm(url: string, fields: object, bytes: string) {
      const parts = Object.entries(fields).map(
        ([name, value]) => `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      const file = `--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n${bytes}\r\n--xx--\r\n`
      const headers = { 'content-type': 'multipart/form-data; boundary=xx' }
      const { pathname, search } = new URL(url)
      await send('POST', pathname + search, { payload: parts.join('') + file, headers })
    },
  }
}

const asking = wholeDefinition({
  variables: [
    { id: 'vName', name: 'Name' },
    { id: 'v2', name: 'pushName' },
  ],
  blocks: [
    bubble('b1', 'Hello {{pushName}}'),
    { id: 'i1', type: 'text input', options: { variableId: 'vName' } },
    { id: 'i2', type: 'choice input', items: [{ id: 'c1', content: 'Yes' }] },
    bubble('b2', 'Bye {{Name}}'),
  ],
})

/** A service on that flow whose ids have no hyphen, as those that it makes have none. */
async function serveAsking() {
  const ports = { ...fixedPorts(), createId: (purpose: string) => `${purpose}1` }
  const world = createTestChat([asking], { ports })
  return { ...(await serve(world)), results: world.results }
}

describe('a gateway that puts a number before the ids of sessions and cuts them at the hyphen', () => {
  it('plays a conversation to its end', async () => {
    const { post } = await serveAsking()
    const prefilledVariables = { remoteJid: '4917@s', pushName: 'Ada', instanceName: 'main', apiKey: 'k' }
    const start = await post('/api/v1/typebots/flow-1/startChat', { prefilledVariables })
    const kept = `8361-${start.sessionId}`
    const say = (message: string) => post(`/api/v1/sessions/${kept.split('-')[1]}/continueChat`, { message })
    expect(shown(start)).toEqual(['Hello Ada'])
    expect((await say('Ada')).input).toMatchObject({ type: 'choice input' })
    const end = await say('Yes')
    expect(shown(end)).toEqual(['Bye Ada'])
    expect(end.input).toBeUndefined()
  })

  it('goes on when it speaks the older API, which names a flow by its public id', async () => {
    const { post } = await serveAsking()
    const url = '/api/v1/sendMessage'
    const startParams = { publicId: 'flow-1', prefilledVariables: { pushName: 'Ada' } }
    const kept = `8361-${(await post(url, { startParams })).sessionId}`
    const say = (message: string) => post(url, { sessionId: kept.split('-')[1], message })
    await say('Ada')
    expect(shown(await say('Yes'))).toEqual(['Bye Ada'])
  })
})

describe.each(['v1', 'v2'])('a recipe of %s/sendMessage', (version) => {
  it('plays a conversation to its end, with the logs of a client in between', async () => {
    const { post, results } = await serveAsking()
    const url = `/api/${version}/sendMessage`
    const startParams = { typebot: 'flow-1', prefilledVariables: { pushName: 'Ada' } }
    const start = await post(url, { startParams })
    expect(shown(start)).toEqual(['Hello Ada'])
    const { sessionId, resultId } = start
    const clientLogs = [{ status: 'error', description: 'blocked', details: { line: 1 } }]
    await post(url, { sessionId, message: 'Ada', clientLogs })
    expect(shown(await post(url, { sessionId, message: 'Yes' }))).toEqual(['Bye Ada'])
    expect(await results.get('flow-1', resultId)).toMatchObject({
      isCompleted: true,
      logs: [{ description: 'blocked', details: '{"line":1}' }],
    })
  })
})

it('a recipe that reports by v1/clientLogs plays a conversation to its end', async () => {
  const { post, results } = await serveAsking()
  const { sessionId, resultId } = await post('/api/v1/typebots/flow-1/startChat')
  const clientLogs = [{ description: 'blocked', details: { line: 1 } }]
  await post(`/api/v1/sessions/${sessionId}/clientLogs`, { clientLogs })
  await post(`/api/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
  await post(`/api/v1/sessions/${sessionId}/continueChat`, { message: 'Yes' })
  expect(await results.get('flow-1', resultId)).toMatchObject({ isCompleted: true, logs: [{}] })
})

describe('recipes that stream', () => {
  const options = modelQuestion('Hours?', 'vReply', { credentialsId: 'c1', model: 'tiny-1' })
  const definition = {
    variables: [{ id: 'vReply', name: 'Reply' }],
    blocks: [
      { id: 'm', type: 'openai', options },
      bubble('b', '{{Reply}}'),
      textInput('i'),
      bubble('b2', 'I said: {{Reply}}'),
    ],
  }
  const serveModel = async (answer = streams(eventsOf(['9 to', ' 5.']))) =>
    serve(await createModelWorld({ definition, answers: () => answer }))

  it('from v1/sendMessage come whole, to the end', async () => {
    const { post } = await serveModel(says('9 to 5.'))
    const url = '/api/v1/sendMessage'
    const start = await post(url, { startParams: { typebot: 'flow-1', isStreamEnabled: true } })
    expect(start['clientSideActions']).toEqual([])
    const { sessionId } = start
    const end = await post(url, { sessionId, message: 'Thanks' })
    expect(end).not.toHaveProperty('input')
    expect(shown(end)).toEqual(['I said: 9 to 5.'])
  })

  it.each(['/api/v1/sessions/ID/streamMessage', '/api/integrations/openai/streamer'])(
    'from %s, after startChat, come to the end',
    async (address) => {
      const { post, text } = await serveModel()
      const start = await post('/api/v1/typebots/flow-1/startChat', { isStreamEnabled: true })
      const { sessionId } = start
      expect(start.clientSideActions).toMatchObject([{ stream: true }])
      const message = await text(address.replace('ID', sessionId), { sessionId })
      const goOn = `/api/v1/sessions/${sessionId}/continueChat`
      expect((await post(goOn, { message })).input).toMatchObject({ type: 'text input' })
      const end = await post(goOn, { message: 'Thanks' })
      expect(end).not.toHaveProperty('input')
      expect(shown(end)).toEqual(['I said: 9 to 5.'])
    },
  )
})

describe('recipes that upload', () => {
  async function serveFiles() {
    const allowedFileTypes = { isEnabled: true, types: ['.png'] }
    const block = {
      type: 'file input',
      options: { variableId: 'vFile', isMultipleAllowed: true, allowedFileTypes },
    }
    const definition = { variables: [{ id: 'vFile', name: 'File' }] }
    const { uploads, world } = await openUploadWorld({ block, definition })
    const served = await serve({ uploads, chat: world.chat })
    return { ...served, answer: async () => (await world.results.get('flow-1', 'result-1'))?.answers }
  }
  type Served = Awaited<ReturnType<typeof serveFiles>>

  /** The one that the oldest clients ask, by the name of the file. */
  async function uploadFirst({ get, sendForm }: Served, { resultId, input }: Reply, name: string) {
    const filePath = `public/results/${resultId}/${input?.id}/${name}`
    const query = new URLSearchParams({ filePath, fileType: 'image/png' })
    const offer = JSON.parse(
      await get(`/api/typebots/flow-1/blocks/${input?.id}/storage/upload-url?${query}`),
    )
    expect(offer.hasReachedStorageLimit).toBe(false)
    const { url, fields } = offer.presignedUrl
    await sendForm(url, fields, name)
    return `${url.split('?')[0]}/${filePath}`
  }

  it('by the address of the oldest clients come to the end, and the answer is where the files lie', async () => {
    const served = await serveFiles()
    const url = '/api/v1/sendMessage'
    const start = await served.post(url, { startParams: { typebot: 'flow-1' } })
    const names = ['my cat, asleep.png', 'b.png']
    const files: string[] = []
    for (const name of names) files.push(await uploadFirst(served, start, name))
    const { sessionId } = start
    expect(await served.post(url, { sessionId, message: files.join(', ') })).not.toHaveProperty('input')
    const addresses = (await served.answer())?.[0]?.content.split(', ') ?? []
    const read = addresses.map((address) => served.get(new URL(address).pathname))
    expect(await Promise.all(read)).toEqual(names)
  })

  const type = { fileName: 'a.png', fileType: 'image/png' }

  it.each<[string, (start: Reply) => Json]>([
    ['v1', ({ sessionId }) => ({ ...type, filePathProps: { sessionId, fileName: 'a.png' } })],
    ['v1', ({ resultId }) => ({ ...type, filePathProps: { typebotId: 'flow-1', blockId: 'i1', resultId } })],
    ['v2', ({ sessionId }) => ({ ...type, sessionId })],
  ])('by %s/generate-upload-url come to the end', async (version, bodyOf) => {
    const { post, sendForm, get } = await serveFiles()
    const start = await post('/api/v1/typebots/flow-1/startChat')
    const offer = (await post(`/api/${version}/generate-upload-url`, bodyOf(start))) as never as Json
    const fileUrl = String(offer['fileUrl'])
    await sendForm(String(offer['presignedUrl']), offer['formData'] as Json, 'bytes')
    const goOn = `/api/v1/sessions/${start.sessionId}/continueChat`
    expect(await post(goOn, { message: fileUrl })).not.toHaveProperty('input')
    expect(await get(new URL(fileUrl).pathname)).toBe('bytes')
  })
})
