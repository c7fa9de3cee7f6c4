import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { httpAnswer, type RawRequest, startRawHttpServer } from '../../support/raw-http-server.ts'
import { signEvent, startStripe } from '../../vendors/stripe.ts'

const options = { credentialsId: 'c1', amount: '19.99', currency: 'EUR', variableId: 'vPaid' }
const shop = wholeDefinition({
  variables: [variable('Paid')],
  blocks: [
    textInput('before'),
    { id: 'pay', type: 'payment input', options },
    bubble('thanks'),
    textInput('end'),
  ],
})

/** How far a call of the provider has come when the process that makes it is killed. */
type Moment = 'sent' | 'done' | 'answered'

const passedOn = ['authorization', 'content-type', 'idempotency-key', 'stripe-version']

/** The provider of payments, behind what kills whoever calls it. */
async function startProvider() {
  const stripe = await startStripe()
  const moments: Moment[] = []
  let caller: BuiltService | undefined
  const kill = async () => {
    caller?.child.kill('SIGKILL')
    await caller?.ended
  }
  async function pass({ method, target, headers, body }: RawRequest) {
    const kept = passedOn.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : []))
    const init = { method, headers: kept as [string, string][], ...(body !== '' && { body }) }
    const response = await fetch(stripe.server.url + target, init)
    return httpAnswer(response.status, await response.text(), { 'content-type': 'application/json' })
  }
  const { url } = await startRawHttpServer(async (request) => {
    const moment = moments.shift()
    if (moment === 'sent') return void (await kill())
    const answer = await pass(request)
    if (moment === 'done') return void (await kill())
    // By then it has been kept, or it has not.
    if (moment === 'answered') setImmediate(kill)
    return answer
  })
  return {
    ...stripe,
    url,
    /** Has the next calls end their process, one after the other. */
    killAt: (...wanted: Moment[]) => void moments.push(...wanted),
    serve: (service: BuiltService) => {
      caller = service
    },
    moments,
  }
}

function playKills(storesOf: (folder: string) => Record<string, string>) {
  it('asks for one payment, believes no one else, and passes who has paid, whatever is killed when', {
    timeout: 600_000,
    // What is lost once is lost.
    retry: 0,
  }, async () => {
    const provider = await startProvider()
    const folder = mkdtempSync(join(tmpdir(), 'shop-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'shop.json'), JSON.stringify(shop))
    const live = { secretKey: 'sk_live_1', publicKey: 'pk_live_1', webhookSecret: 'whsec_1' }
    const accounts = join(folder, 'accounts')
    writeFileSync(
      accounts,
      JSON.stringify([{ id: 'c1', type: 'stripe', data: { live, baseUrl: provider.url } }]),
    )
    let service: BuiltService
    const start = async () => {
      service = await startBuiltService({
        FLOWS_DIR: folder,
        CREDENTIALS_FILE: accounts,
        ADMIN_TOKEN: 'operator',
        ...storesOf(folder),
      })
      const { child } = service
      onTestFinished(() => void child.kill('SIGKILL'))
      provider.serve(service)
    }
    const send = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(service.address + path, {
        headers: {
          authorization: 'Bearer operator',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      })
      return { status: response.status, body: JSON.parse((await response.text()) || '{}') as Json }
    }
    await start()
    const { sessionId, resultId } = (await send('/v1/flows/shop/startChat', {})).body
    const say = (message: string) => send(`/v1/sessions/${sessionId}/continueChat`, { message })
    /** Says it again, to a new process where the last was killed, until it is answered. */
    async function insist(message: string): Promise<Json> {
      let answered: Json | undefined
      await expect
        .poll(
          async () => {
            const answer = await say(message).catch(() => undefined)
            if (service.child.exitCode !== null || service.child.signalCode !== null) await start()
            answered = answer?.status === 200 ? answer.body : undefined
            return answer?.status
          },
          { timeout: 600_000, interval: 250 },
        )
        .toBe(200)
      return answered ?? {}
    }
    const shownIds = ({ messages }: Json) => ((messages ?? []) as Json[]).map(({ id }) => id)

    provider.killAt('sent', 'done', 'answered')
    const asked = await insist('go')
    // What was answered to a process that died was kept: the visitor has moved on, and asks again what is to be paid.
    const { input } = shownIds(asked).length > 0 ? await insist('Success') : asked
    expect(input).toMatchObject({ id: 'pay', runtimeOptions: { paymentIntentSecret: 'pi_1_secret' } })
    expect(provider.moments).toEqual([])

    const doubleClick = await Promise.all([say('Success'), say('Success')])
    expect(doubleClick.flatMap(({ body }) => shownIds(body))).not.toContain('thanks')

    provider.pay('pi_1')
    provider.killAt('sent', 'done')
    expect(shownIds(await insist('Success'))).toEqual(['thanks'])
    expect(provider.moments).toEqual([])

    const text = provider.event('pi_1')
    for (const _ of [1, 2]) {
      const signed = { 'stripe-signature': signEvent(text, Date.now()) }
      expect((await send('/v1/webhooks/stripe/c1', text, signed)).status).toBeLessThan(300)
    }
    expect([...provider.intents.values()]).toMatchObject([
      { amount: 1999, currency: 'eur', status: 'succeeded' },
    ])
    const { answers } = (await send(`/v1/flows/flow-1/results/${resultId}`)).body as { answers: Json[] }
    expect(answers.filter(({ blockId }) => blockId === 'pay')).toMatchObject([{ content: 'Success' }])
  })
}

describe('payments, with DATA_DIR', () => {
  playKills((folder) => ({ DATA_DIR: join(folder, 'data') }))
})

describeWithPostgres('payments, with DATABASE_URL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl, { isMigrated: false })
  playKills(() => ({ DATABASE_URL: databaseUrl() }))
})
