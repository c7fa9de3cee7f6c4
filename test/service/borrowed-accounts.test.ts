import { describe, expect, it, onTestFinished } from 'vitest'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import { parseAllowList } from '../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../src/adapters/http-client/http-client.ts'
import { createSmtpMailer } from '../../src/adapters/mailer/smtp-mailer.ts'
import { readCredentials } from '../../src/config/credentials/credentials.ts'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import { anonymous } from '../../src/ports/caller.ts'
import { startSmtpServer } from '../adapters/mailer/smtp-test-server.ts'
import { bubble, modelQuestion, textInput, variable } from '../fixtures/short-flows.ts'
import { startDraft, startLive } from '../fixtures/starting.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { trusted } from '../support/preview-request.ts'
import { httpAnswer, startRawHttpServer } from '../support/raw-http-server.ts'
import { createTestChat, sessionOf } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const mail = (id: string, body: string): Json => ({
  id,
  type: 'Email',
  options: { credentialsId: 'default', recipients: ['desk@shop.example'], body },
})

/** A live session that mails through a real server; what came in, and how it went on. */
async function mailing(blocks: readonly Json[]) {
  const server = await startSmtpServer()
  const mailer = createSmtpMailer()
  onTestFinished(() => mailer.close())
  const url = `smtp://127.0.0.1:${server.port}?from=shop%40mail.example`
  const { credentials } = readCredentials(undefined, { SMTP_URL: url })
  const flow = wholeDefinition({ blocks, variables: [variable('Said')] })
  const world = createTestChat([flow], { mailer, credentials })
  const first = await startLive(world)
  const say = async (message: string): Promise<Json> => {
    const body = { message, textBubbleContentFormat: 'markdown' } as ContinueChatBody
    const { chat } = world
    return parseWire(
      await chat.continue({ caller: anonymous, sessionId: 'session-1', origin: undefined, body }),
    )
  }
  return { first, say, server, world }
}

const descriptionsIn = ({ logs }: Json) => ((logs ?? []) as Json[]).map(({ description }) => description)

describe('the mails of a conversation', () => {
  it('are five in one turn, and the flow goes on', async () => {
    const blocks = numbers(6).map((nth) => mail(`m${nth}`, `Mail ${nth}`))
    const { first, server } = await mailing([...blocks, bubble('b1')])
    expect(server.mails.length).toBe(5)
    expect(descriptionsIn(first)).toEqual(['A turn sends at most 5 emails'])
    expect(first['messages']).toMatchObject([{ id: 'b1' }])
  })

  it('are not the same twice', async () => {
    const { first, server } = await mailing([mail('m1', 'Same'), mail('m2', 'Same'), bubble('b1')])
    expect(server.mails.length).toBe(1)
    expect(descriptionsIn(first)).toEqual(['The same email is not sent twice in a row'])
    expect(first['messages']).toMatchObject([{ id: 'b1' }])
  })

  it('are twenty in all, however many turns it has', async () => {
    const { say, server, world } = await mailing([
      textInput('i1', 'vSaid'),
      ...numbers(4).map((nth) => mail(`m${nth}`, `{{Said}} ${nth}`)),
      { id: 'j1', type: 'Jump', options: { groupId: 'g1' } },
    ])
    const told: unknown[] = []
    for (const turn of numbers(6)) told.push(descriptionsIn(await say(`Turn ${turn}`)))
    expect(server.mails.length).toBe(20)
    const refusal = 'A conversation sends at most 20 emails'
    expect(told).toEqual([...numbers(5).map(() => []), [refusal, refusal, refusal, refusal]])
    expect(await sessionOf(world, 'session-1')).toMatchObject({ mails: 20 })
  })
})

describe('an account', () => {
  const question: Json = {
    id: 'q1',
    type: 'openai',
    options: modelQuestion('Hi', 'vReply', { credentialsId: 'c1', model: 'tiny-1' }),
  }
  const asking = wholeDefinition({
    blocks: [question, bubble('b1', '{{Reply}}')],
    variables: [variable('Reply')],
    workspaceId: 'w1',
  })

  /** The response to a flow that asks a model with this account, and how often the model was asked. */
  async function borrowing(
    who: 'live' | 'trusted' | 'stranger',
    account: Json,
    chat: Partial<ChatDependencies>,
  ) {
    const answer = JSON.stringify({ choices: [{ message: { content: 'Hello' } }] })
    const server = await startRawHttpServer(() => httpAnswer(200, answer))
    const http = createHttpClient({ allow: parseAllowList('') })
    onTestFinished(() => http.close())
    const data = { apiKey: 'sk-1', baseUrl: `${server.url}/v1` }
    const file = JSON.stringify([{ id: 'c1', type: 'openai', data, ...account }])
    const { credentials } = readCredentials(file, {})
    const world = createTestChat([asking], { http, credentials, ...chat })
    const body = { textBubbleContentFormat: 'markdown' }
    const response =
      who === 'live'
        ? await startLive(world, body)
        : await startDraft(world, { ...body, flow: asking }, who === 'trusted' ? { caller: trusted } : {})
    return { logs: descriptionsIn(response), requests: server.requests }
  }

  const missing = 'Could not find credentials for block openai'
  const off = 'Requests are not sent from this preview'

  it.each<['live' | 'trusted' | 'stranger', Json, 'on' | 'off' | 'auto', string | undefined]>([
    ['live', {}, 'auto', undefined],
    ['live', { workspaceId: 'w1', allowedFlows: ['flow-1'] }, 'auto', undefined],
    ['live', { workspaceId: 'w2' }, 'auto', missing],
    ['live', { allowedFlows: ['other'] }, 'auto', missing],
    ['live', { allowPreview: false }, 'off', undefined],
    ['live', { type: 'groq' }, 'auto', missing],
    ['trusted', {}, 'auto', undefined],
    ['trusted', { allowPreview: false }, 'auto', missing],
    ['trusted', { workspaceId: 'w1' }, 'auto', missing],
    ['trusted', { workspaceId: 'w1', allowPreview: true }, 'auto', undefined],
    ['trusted', {}, 'off', off],
    ['stranger', { allowPreview: true }, 'auto', off],
    ['stranger', { allowPreview: true }, 'on', undefined],
    ['stranger', {}, 'on', missing],
    ['stranger', { workspaceId: 'w1', allowedFlows: ['flow-1'] }, 'on', missing],
  ])('is lent or not: %s, %j, PREVIEW_HTTP %s', async (who, account, previewHttp, refusal) => {
    const { logs, requests } = await borrowing(who, account, { previewHttp })
    expect(logs).toEqual(refusal === undefined ? [] : [refusal])
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(
      refusal === undefined ? ['Bearer sk-1'] : [],
    )
  })
})
