import type { Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { vendors } from '../../../src/config/credentials/vendors/vendors.ts'
import type { Json } from '../../support/json.ts'
import { httpAnswer, type RawAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { skipPauses } from '../../support/skip-pauses.ts'
import {
  type Asking,
  answersWithFile,
  askings,
  everyAsking,
  payment,
  runOf,
  secret,
} from '../../vendors/askings.ts'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'

beforeEach(() => skipPauses())

it('has a call of every vendor', () => {
  const asked = [...Object.values(askings), payment].map(({ type, accountType = type }) => accountType)
  // Zendesk is never called; MCP servers are by models, which test/blocks/integrations/mcp-tools.test.ts has; own blocks call
  // by `http`, which test/own-blocks has.
  expect([...asked, 'zendesk', 'mcp', 'http']).toEqual(expect.arrayContaining([...vendors.keys()]))
})

const json = (value: unknown) => httpAnswer(200, JSON.stringify(value))

/** What comes before the answer: those to the first calls, and what the visitor replies. */
interface Before {
  readonly answers?: readonly unknown[]
  readonly reply?: string
}

async function run(asking: Asking, answer: RawAnswer, { answers = [], reply }: Before = {}) {
  const earlier = answers.map(json)
  const server = await startRawHttpServer(({ target }) =>
    target === '/token'
      ? json({ access_token: `token-${secret}`, expires_in: 3600 })
      : (earlier.shift() ?? answer),
  )
  const ran = await runOf(asking, server.url)
  return runVendorBlock(reply === undefined ? ran : { ...ran, reply })
}

const shownIds = (response: Json) => (response['messages'] as Json[]).map(({ id }) => id)

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

const failures: readonly (readonly [what: string, answer: RawAnswer])[] = [
  ['a refusal that repeats the secret', httpAnswer(401, JSON.stringify({ error: `not ${secret}` }))],
  ['a defect', httpAnswer(500, `<html>${secret}</html>`)],
  ['a connection that breaks', (socket: Socket) => socket.destroy()],
  ['half an answer', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"a')],
  ['what is no HTTP', (socket: Socket) => socket.end('\u0000\u0001 hello')],
  ['too much', httpAnswer(200, `"${'x'.repeat(6 * 1024 * 1024)}"`)],
  ['nothing, for too long', undefined],
]

const nonsense: readonly (readonly [what: string, text: string])[] = [
  ['no JSON', '<html>'],
  ['nothing at all', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['JSON that is too deep', deep],
  [
    'names that mean something elsewhere',
    '{"__proto__":{"Out":1},"constructor":null,"data":{"__proto__":[]}}',
  ],
  [
    'other types',
    '{"data":7,"answer":{},"message":[],"list":"x","id":{},"client_secret":[],"sheets":{},"values":null}',
  ],
]

/** Makes every call of a vendor at once, as each of them may wait for its limit. */
const runEach = (answer: RawAnswer) =>
  Promise.all(
    Object.entries(everyAsking).map(async ([name, { asking, like, answers }]) => ({
      name,
      like,
      ...(await run(asking, answer, { answers })),
    })),
  )

describe('each call of a vendor', () => {
  it.each(failures)('leaves a log with its name after %s, and the flow goes on', async (_what, answer) => {
    for (const { name, response, visitorLogs, storedLogs, variables } of await runEach(answer)) {
      expect(storedLogs, name).toMatchObject([{ status: 'error', blockId: 'x1' }])
      expect(visitorLogs, name).toMatchObject([{ status: 'error', description: expect.any(String) }])
      expect(JSON.stringify([response, storedLogs]), name).not.toContain(secret)
      expect(shownIds(response), name).toEqual(['on'])
      expect(variables, name).toMatchObject({ Out: 'old' })
    }
  })

  it.each(nonsense)('goes on after %s, and writes nothing that is none', async (_what, text) => {
    for (const { name, like, response, storedLogs, variables } of await runEach(httpAnswer(200, text))) {
      expect(shownIds(response), name).toEqual(['on'])
      if (!answersWithFile.has(like)) expect(variables, name).toMatchObject({ Out: 'old' })
      expect(JSON.stringify([response, storedLogs]), name).not.toContain(secret)
      expect(Object.prototype, name).not.toHaveProperty('Out')
    }
  })
})

describe('stripe', () => {
  const answers = [
    ...failures,
    ...nonsense.map(([what, text]) => [what, httpAnswer(200, text)] as const),
  ] as const
  const intent = { id: 'pi_1', client_secret: 'pi_1_secret', status: 'requires_payment_method' }

  it.each(answers)('has nobody pay, and nobody pass, after %s', async (_what, answer) => {
    const { response, storedLogs } = await run(payment, answer)
    expect(storedLogs).toMatchObject([{ status: 'error', blockId: 'x1' }])
    expect([shownIds(response), response['input']]).toEqual([[], undefined])
    expect(JSON.stringify([response, storedLogs])).not.toContain(secret)
  })

  it.each(answers)('is not taken to say that somebody has paid by %s', async (_what, answer) => {
    const { response, storedLogs, variables } = await run(payment, answer, {
      answers: [intent],
      reply: 'Success',
    })
    expect([shownIds(response), response['input']]).toMatchObject([['x1'], { id: 'x1' }])
    expect(variables).toMatchObject({ Out: 'old' })
    expect(JSON.stringify([response, storedLogs])).not.toContain(secret)
  })
})
