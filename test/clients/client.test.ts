import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient, GoneError, RefusedError, StaleError, UnreachableError } from '../../client/client.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'

const root = join(import.meta.dirname, '../..')

const greeting = wholeDefinition({
  variables: [variable('Name')],
  blocks: [textInput('i1', 'vName'), bubble('b1', 'Hi {{Name}}'), textInput('i2')],
})

/** A client of the real server, over the network. `lose` answers are lost on their way back, one after the other. */
async function connect(lose = 0) {
  const { app } = await serveChat([greeting])
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  let left = lose
  const keys: (string | null)[] = []
  const client = createClient({
    address,
    fetch: async (...asked) => {
      keys.push(new Headers(asked[1]?.headers).get('idempotency-key'))
      const response = await fetch(...asked)
      left -= 1
      if (left >= 0) throw new TypeError('the connection broke')
      return response
    },
  })
  return { address, client, keys }
}

describe('the client', () => {
  it('has a conversation', async () => {
    const { client } = await connect()
    const { conversation, answer } = await client.start('flow-1')
    expect(answer.input).toMatchObject({ id: 'i1' })
    const turn = await conversation.reply('Ada', { format: 'markdown' })
    expect(turn).toMatchObject({ messages: [{ content: { markdown: 'Hi Ada' } }], input: { id: 'i2' } })
    expect((await conversation.reply('Bye')).input).toBeUndefined()
    await expect(conversation.reply('Hello?')).rejects.toThrow(GoneError)
  })

  it('repeats what got no answer with the same key, so that it is done once', async () => {
    const { client, keys } = await connect(1)
    const { conversation } = await client.start('flow-1')
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    const turn = await conversation.reply('Ada')
    expect(turn.input).toMatchObject({ id: 'i2' })
  })

  it('says that nobody answers once it has tried often enough', async () => {
    const { client, keys } = await connect(4)
    await expect(client.start('flow-1')).rejects.toThrow(UnreachableError)
    expect(keys).toHaveLength(4)
  })

  it('goes on after a reload, and learns that another tab was faster', async () => {
    const { client } = await connect()
    const { conversation } = await client.start('flow-1')
    const { sessionId, version } = conversation
    const reloaded = client.resume({ sessionId, version })
    expect(await reloaded.look()).toMatchObject({ waitingFor: 'input', input: { id: 'i1' } })
    await reloaded.reply('Ada')
    expect(await reloaded.transcript()).toEqual([
      { role: 'user', text: 'Ada' },
      { role: 'assistant', text: 'Hi Ada' },
    ])
    const stale = await conversation.reply('Bob').catch((error: unknown) => error)
    expect(stale).toBeInstanceOf(StaleError)
    expect(stale).toMatchObject({ input: { id: 'i2' }, version: reloaded.version })
    expect((await conversation.reply('Bob')).input).toBeUndefined()
  })

  it('throws what the service refuses, with its reason', async () => {
    const { client } = await connect()
    await expect(client.start('nothing')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
    const tooLong = client.start('flow-1', { message: 'x'.repeat(20_000) })
    await expect(tooLong).rejects.toThrow(RefusedError)
    const { conversation } = await client.start('flow-1')
    const shortKey = conversation.reply('Ada', { key: 'telegram-update-7-1' })
    await expect(shortKey).rejects.toThrow(
      'Input validation failed: /idempotency-key must match pattern "^[!-~]{20,255}$"',
    )
  })

  it.each([
    ['7', 7],
    [new Date(Date.now() + 3_600_000).toUTCString(), expect.closeTo(3600, -2)],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['soon', 0],
  ])('says when it is to ask again, which proxies say by a date: %s', async (retryAfter, seconds) => {
    const answer = async () => new Response('', { status: 429, headers: { 'retry-after': retryAfter } })
    const client = createClient({ address: '', repetitions: 0, fetch: answer })
    await expect(client.start('flow-1')).rejects.toMatchObject({ retryAfterSeconds: seconds })
  })

  it('leads the conversation of its page', async () => {
    const page = await readFile(join(root, 'docs/client.md'), 'utf8')
    const [, code = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
    expect(code.split('\n').length).toBeLessThanOrEqual(41)
    const { address } = await connect()
    const file = join(tmpdir(), `client-page-${process.pid}.ts`)
    onTestFinished(async () => (await import('node:fs/promises')).rm(file, { force: true }))
    const from = pathToFileURL(join(root, 'client/client.ts')).href
    await writeFile(file, code.replaceAll('./client/client.js', from))
    const { talk } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      talk: (address: string, publicId: string, ask: (label: string) => Promise<string>) => Promise<string[]>
    }
    const answers = ['Ada', 'Bye']
    const shown = await talk(address, 'flow-1', async () => answers.shift() ?? '')
    expect(shown).toEqual(['Hi Ada', 'over'])
  })
})
