import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { httpAnswer, type RawAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'

/** Asks for a name, asks the shop about it, and greets. */
const greeting = (shop: string) =>
  wholeDefinition({
    variables: [variable('Name'), variable('Status')],
    blocks: [
      textInput('i1', 'vName'),
      {
        id: 'r1',
        type: 'Webhook',
        options: {
          webhook: { url: shop, method: 'GET' },
          responseVariableMapping: [{ id: 'm', variableId: 'vStatus', bodyPath: 'statusCode' }],
        },
      },
      bubble('b1', '{{Name}} {{Status}}'),
      textInput('i2'),
    ],
  })

/** The service, and a shop that answers when it is told to. A defect is what happens when it gets a signal. */
async function startService(defect?: string) {
  const waiting: ((answer: RawAnswer) => void)[] = []
  const shop = await startRawHttpServer(() => new Promise((resolve) => waiting.push(resolve)))
  const folder = mkdtempSync(join(tmpdir(), 'lasting-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'flow-1.json'), JSON.stringify(greeting(shop.url)))
  const preloaded = join(folder, 'defect.mjs')
  writeFileSync(preloaded, `process.on('SIGURG', () => { ${defect} })`)
  const service = await startBuiltService({
    FLOWS_DIR: folder,
    OUTBOUND_ALLOW: '127.0.0.1',
    ...(defect && { NODE_OPTIONS: `--import=${pathToFileURL(preloaded)}` }),
  })
  async function post(path: string, body: Json) {
    const response = await fetch(service.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ textBubbleContentFormat: 'markdown', ...body }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    ...service,
    waiting,
    async start() {
      const { body } = await post('/v1/flows/flow-1/startChat', {})
      return String(body['sessionId'])
    },
    say: (sessionId: string, message: string) => post(`/v1/sessions/${sessionId}/continueChat`, { message }),
    answerAll: () => {
      for (const answer of waiting) answer(httpAnswer(204))
    },
    written: (text: string) =>
      vi.waitFor(() => expect(service.output()).toContain(text), { timeout: 60_000, interval: 20 }),
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const greeted = (name: string) => ({
  status: 200,
  body: { messages: [{ content: { markdown: `${name} 204` } }], input: { id: 'i2' } },
})

describe('a service that is signalled to end while it has much to do', () => {
  it('answers every turn that it has begun, takes no other, and ends in peace', {
    timeout: 600_000,
    // What is lost once is lost.
    retry: 0,
  }, async () => {
    const service = await startService()
    const sessions = await Promise.all(numbers(40).map(() => service.start()))
    const answers = sessions.map((id, index) => service.say(id, `Visitor ${index}`))
    await vi.waitFor(() => expect(service.waiting.length).toBe(40), { timeout: 60_000 })
    const ended = service.stop()
    await service.written('"closing"')
    // Who has connected already is served; each connection ends with its answer.
    await vi.waitFor(() => expect(service.start()).rejects.toThrow('fetch failed'), { timeout: 60_000 })
    service.answerAll()
    expect(await Promise.all(answers)).toMatchObject(numbers(40).map((index) => greeted(`Visitor ${index}`)))
    expect(await ended).toBe(0)
  })
})

describe('a defect that is never caught', () => {
  it('lets the turns that were begun end, and then ends the process', {
    timeout: 600_000,
    // What is lost once is lost.
    retry: 0,
  }, async () => {
    const service = await startService('throw new TypeError("stray")')
    const answer = service.say(await service.start(), 'Ada')
    await vi.waitFor(() => expect(service.waiting.length).toBe(1), { timeout: 60_000 })
    service.signal('SIGURG')
    await service.written('closing after a defect')
    service.answerAll()
    expect(await answer).toMatchObject(greeted('Ada'))
    expect(await service.ended).toBe(1)
    expect(service.output()).not.toContain('stray')
  })
})
