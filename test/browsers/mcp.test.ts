import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { installedChromium } from './chromium.ts'
import { type OpenedPages, openPages } from './open-pages.ts'

const token = 'assistant-token-of-pages'

/** Asks for a file, which only a page takes, and then for a word. */
const applying = wholeDefinition({
  id: 'applying',
  variables: [
    { id: 'vCv', name: 'Cv' },
    { id: 'vName', name: 'Name' },
  ],
  settings: { general: { mcp: { description: 'Takes applications' } } },
  blocks: [
    { id: 'b1', text: 'Your papers, please' },
    { id: 'cv', type: 'file input', options: { variableId: 'vCv' } },
    { id: 'b2', text: 'And who are you?' },
    { id: 'name', type: 'text input', options: { variableId: 'vName' } },
    { id: 'b3', text: 'Thanks, {{Name}}' },
  ],
})

const papers = { name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('Ada') }

describe.each(installedChromium('pages of assistants'))('an assistant, in %s', (executablePath) => {
  let pages: OpenedPages

  beforeAll(async () => {
    const tokens = { ADMIN_TOKENS: `desk:mcp=${token}`, RESULTS_TOKEN: 'reads-what-was-said' }
    pages = await openPages(executablePath, [applying], tokens)
  })

  afterAll(() => pages.close())

  async function send(method: string, params: Json): Promise<Json> {
    const answer = await fetch(`${pages.service.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await answer.json()) as { result: Json }).result
  }

  const call = async (name: string, given: Json = {}) =>
    (await send('tools/call', { name, arguments: given }))['structuredContent'] as Json

  it('leads to the page for a file, and goes on where the page has come to', async () => {
    const first = await call('applying')
    expect(first).toMatchObject({ state: 'page', question: { type: 'file input' } })
    const address = new URL(String(first['page']))
    const { page, complaints } = await pages.open(address.pathname + address.hash)
    expect(new URL(page.url()).hash).toBe('')
    await page.getByText('Your papers, please').waitFor()
    await page.locator('input[type=file]').setInputFiles(papers)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('And who are you?').waitFor()
    expect(complaints).toEqual([])
    const second = await call('answer', { handle: first['handle'] })
    expect(second).toMatchObject({ state: 'asks', question: { type: 'text input' } })
    const last = await call('answer', { handle: second['handle'], text: 'Ada' })
    expect(last).toEqual({ state: 'over', messages: ['Thanks, Ada'] })
  })

  it('that shows pages of tools shows the conversation that the tool began', async () => {
    const { contents } = (await send('resources/read', { uri: 'ui://flow-runtime/applying' })) as {
      contents: { text: string }[]
    }
    const structuredContent = await call('applying')
    const host = await startHost({ html: contents[0]!.text, structuredContent })
    const { page } = await pages.open('/health')
    await page.goto(host)
    const app = page.frameLocator('iframe').frameLocator('iframe')
    await app.getByText('Your papers, please').waitFor()
    await app.locator('input[type=file]').setInputFiles(papers)
    await app.getByRole('button', { name: 'Send' }).click()
    await app.getByText('And who are you?').waitFor()
    expect(await call('answer', { handle: structuredContent['handle'] })).toMatchObject({
      question: { type: 'text input' },
    })
  })
})

/** A page that shows the page of a tool as hosts do, and hands it the result of the call once it is ready. */
async function startHost({ html, structuredContent }: { html: string; structuredContent: Json }) {
  const result = { content: [], structuredContent }
  const script = `
    const frame = document.querySelector('iframe')
    addEventListener('message', ({ data, source }) => {
      if (source !== frame.contentWindow) return
      const send = (message) => source.postMessage({ jsonrpc: '2.0', ...message }, '*')
      if (data.method === 'ui/initialize') {
        const hostInfo = { name: 'host', version: '1' }
        const { protocolVersion } = data.params
        send({ id: data.id, result: { protocolVersion, hostInfo, hostCapabilities: {}, hostContext: {} } })
      }
      if (data.method === 'ui/notifications/initialized')
        send({ method: 'ui/notifications/tool-result', params: ${JSON.stringify(result)} })
    })
    frame.srcdoc = ${JSON.stringify(html).replaceAll('<', '\\u003c')}`
  const sandbox = 'allow-scripts allow-same-origin allow-forms'
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><iframe sandbox="${sandbox}"></iframe><script>${script}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
