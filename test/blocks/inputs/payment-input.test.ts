import fc from 'fast-check'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import { readAmount } from '../../../src/blocks/inputs/payment/payment-intent.ts'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import type { HttpClient } from '../../../src/ports/http-client-port.ts'
import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { previewRequest } from '../../support/preview-request.ts'
import { skipPauses } from '../../support/skip-pauses.ts'
import { createTestChat } from '../../support/start.ts'
import { useCasesOf } from '../../support/use-cases.ts'
import { parseWire } from '../../support/wire.ts'
import { signEvent, startStripe } from '../../vendors/stripe.ts'

/** Where in a turn the process is killed. */
type KillMoment = (typeof killMoments)[number]
const killMoments = ['before a call', 'after a call', 'before the commit', 'after the commit'] as const
const unanswered = { kind: 'failed', message: 'killed' } as const

async function startShop(
  options: Json = {},
  account: Json = {},
  before: readonly Json[] = [],
  more: Json = {},
) {
  const stripe = await startStripe()
  const keys = {
    live: { secretKey: 'sk_live_1', publicKey: 'pk_live_1', webhookSecret: 'whsec_1' },
    test: { secretKey: 'sk_test_1', publicKey: 'pk_test_1' },
    ...account,
  }
  const entry = { id: 'c1', type: 'stripe', data: { ...keys, baseUrl: stripe.server.url } }
  const { credentials } = readCredentials(JSON.stringify([{ ...entry, allowPreview: true }]), {})
  const shop = wholeDefinition({
    variables: [variable('Total', { value: '12.50' }), variable('Paid')],
    blocks: [
      ...before,
      {
        id: 'pay',
        type: 'payment input',
        options: {
          credentialsId: 'c1',
          amount: '{{Total}}',
          currency: 'EUR',
          variableId: 'vPaid',
          ...options,
        },
      },
      bubble('thanks'),
      textInput('end'),
    ],
  })
  const flow = {
    ...shop,
    ...more,
    groups: [...(shop['groups'] as Json[]), ...((more['groups'] ?? []) as Json[])],
  }
  let killMoment: KillMoment | undefined
  const client = createHttpClient({ allow: parseAllowList('') })
  onTestFinished(() => client.close())
  const sendRequest: HttpClient['send'] = async (request, options) => {
    if (killMoment === 'before a call') return unanswered
    const outcome = await client.send(request, options)
    if (killMoment !== 'after a call') return outcome
    killMoment = 'before a call'
    return unanswered
  }
  const world = createTestChat([flow], {
    http: { ...client, send: sendRequest },
    credentials,
    previewHttp: 'on',
  })
  const { conversations } = world
  const chat = useCasesOf({
    ...world,
    conversations: {
      ...conversations,
      async commit(...turn) {
        const moment = killMoment
        killMoment = undefined
        if (moment === undefined) return conversations.commit(...turn)
        if (moment === 'after the commit') await conversations.commit(...turn)
        throw new Error('killed')
      },
    },
  })
  const send = async (sessionId: unknown, message: NonNullable<ContinueChatBody['message']>) =>
    parseWire(
      await chat.continue({
        caller: anonymous,
        sessionId: String(sessionId),
        origin: undefined,
        body: { message },
      }),
    )
  return {
    ...stripe,
    /** Kills the process in the next turn: nobody hears of the turn, and nothing happens after the moment. */
    kill: (moment: KillMoment) => {
      killMoment = moment
    },
    start: async (body: Json = {}) =>
      parseWire(await chat.startPublished({ publicId: 'flow-1', origin: undefined, body })),
    preview: async () => parseWire(await chat.startPreview(previewRequest({ flow }))),
    say: (sessionId: unknown, text: string) => send(sessionId, { type: 'text', text }),
    command: (sessionId: unknown, command: string) => send(sessionId, { type: 'command', command }),
    tell: (text: string, signature: string | undefined = signEvent(text, fixedNow), accountId = 'c1') =>
      chat.confirmPayment({ accountId, signature, text, event: JSON.parse(text) }),
    result: () => world.results.get('flow-1', 'result-1'),
  }
}

const runtimeOf = (response: Json) =>
  (response['input'] as { runtimeOptions?: Record<string, string> } | undefined)?.runtimeOptions
const shownIds = (response: Json) => (response['messages'] as { id: string }[]).map(({ id }) => id)

beforeEach(() => skipPauses())

describe('a payment input', () => {
  it('hands the client what the form of the provider needs', async () => {
    const { start, intents } = await startShop()
    expect(runtimeOf(await start())).toEqual({
      paymentIntentSecret: 'pi_1_secret',
      amountLabel: '12,50\u00a0€',
      publicKey: 'pk_live_1',
    })
    expect([...intents.values()]).toMatchObject([{ amount: 1250, currency: 'eur', livemode: true }])
  })

  it('believes the provider, and not what is typed', async () => {
    const { start, say, pay } = await startShop({ labels: { success: 'Thank you' } })
    const { sessionId } = await start()
    const refused = await say(sessionId, 'Success')
    expect(shownIds(refused)).toEqual(['pay'])
    expect(JSON.stringify(refused['messages'])).toContain('Payment failed. Please, try again.')
    pay('pi_1')
    const accepted = await say(sessionId, 'whatever')
    expect(shownIds(accepted)).toEqual(['thanks'])
    expect(accepted['lastMessageNewFormat']).toBe('Thank you')
  })

  it('takes a payment that was made though the client reports a failure', async () => {
    const { start, say, pay } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    expect(shownIds(await say(sessionId, 'fail'))).toEqual(['thanks'])
  })

  it('keeps one payment for a visit, however often it is refused', async () => {
    const { start, say, intents } = await startShop()
    const { sessionId } = await start()
    for (const reply of ['fail', 'Success', 'fail']) {
      expect(runtimeOf(await say(sessionId, reply))?.['paymentIntentSecret']).toBe('pi_1_secret')
    }
    expect(intents.size).toBe(1)
  })

  it.each([
    [false, ['pay']],
    [true, ['thanks']],
  ])('takes what is being processed only where the flow says so: %s', async (acceptProcessing, shown) => {
    const { start, say, pay } = await startShop({ acceptProcessing })
    const { sessionId } = await start()
    pay('pi_1', 'processing')
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(shown)
  })

  it('refuses a payment that is smaller than what was asked for', async () => {
    const { start, say, pay, intents } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    const intent = intents.get('pi_1')
    if (intent) intent.amount_received = 1
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['pay'])
  })

  it('ends the conversation where no payment can be asked for', async () => {
    const { start, say, setDown } = await startShop()
    setDown(true)
    const response = await start()
    expect(response['input']).toBeUndefined()
    expect(response['logs']).toMatchObject([{ description: 'The service of stripe answered 503' }])
    await expect(say(response['sessionId'], 'Success')).rejects.toThrow()
  })

  describe('whose amount has changed since it was asked for', () => {
    const raise = setVariable('raise', 'vTotal', { expressionToEvaluate: '20' })
    const more = {
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
        { id: 'c', type: 'command', outgoingEdgeId: 'to-raise', options: { command: 'raise' } },
      ],
      groups: [{ id: 'g2', title: 'Raise', blocks: [{ ...raise, outgoingEdgeId: 'to-pay' }] }],
      edges: [
        { id: 'e-start', to: { groupId: 'g1' } },
        { id: 'to-raise', to: { groupId: 'g2' } },
        { id: 'to-pay', to: { groupId: 'g1' } },
      ],
    }

    it('is changed at the provider', async () => {
      const { start, command, say, intents, pay } = await startShop({}, {}, [], more)
      const { sessionId } = await start()
      expect(runtimeOf(await command(sessionId, 'raise'))).toMatchObject({
        paymentIntentSecret: 'pi_1_secret',
        amountLabel: '20,00\u00a0€',
      })
      expect([...intents.values()]).toMatchObject([{ amount: 2000 }])
      pay('pi_1')
      expect(shownIds(await say(sessionId, 'Success'))).toEqual(['thanks'])
    })

    it('ends the conversation where the provider refuses to change it: nobody passes for less', async () => {
      const { start, command, say, intents, pay } = await startShop({}, {}, [], more)
      const { sessionId } = await start()
      pay('pi_1')
      const response = await command(sessionId, 'raise')
      expect([shownIds(response), response['input']]).toEqual([[], undefined])
      expect(response['logs']).toMatchObject([{ description: 'The service of stripe answered 400' }])
      expect([...intents.values()]).toMatchObject([{ amount: 1250 }])
      await expect(say(sessionId, 'Success')).rejects.toThrow()
    })
  })

  it('refuses while the provider is away, and goes on once it is back', async () => {
    const { start, say, pay, setDown } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    setDown(true)
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['pay'])
    setDown(false)
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['thanks'])
  })

  it('moves no money in a preview', async () => {
    const { preview, intents } = await startShop()
    expect(runtimeOf(await preview())?.['publicKey']).toBe('pk_test_1')
    expect([...intents.values()]).toMatchObject([{ livemode: false }])
  })

  it('is passed over in a preview without keys for tests', async () => {
    const { preview, intents } = await startShop({}, { test: {} })
    const response = await preview()
    expect([shownIds(response), intents.size]).toEqual([['thanks'], 0])
    expect(response['logs']).toMatchObject([{ description: 'Could not find credentials for block stripe' }])
  })

  it('is neither passed unpaid nor charged twice, whatever comes in which order', async () => {
    const replies = ['Success', 'fail', ''].map((text) => [text])
    // A double click, and two tabs.
    const both = [
      ['Success', 'Success'],
      ['fail', 'Success'],
    ]
    const killMoment = fc.constantFrom(...killMoments)
    const killedAt = fc.option(killMoment, { nil: undefined })
    const step = fc.oneof(
      { arbitrary: fc.record({ say: fc.constantFrom(...replies, ...both), killedAt }), weight: 2 },
      fc.record({ event: fc.constant('event'), killedAt }),
      fc.constantFrom('pay', 'down', 'up', 'old event', 'forged event'),
    )
    const price = fc.constantFrom(
      ...[['EUR', '12.50', 1250] as const, ['usd', '19.99', 1999] as const, ['JPY', '500', 500] as const],
      ['KWD', '1.234', 1230] as const,
    )
    await fc.assert(
      fc.asyncProperty(price, killMoment, fc.array(step, { maxLength: 14 }), async (cost, moment, steps) => {
        const [currency, amount, minor] = cost
        const shop = await startShop({ currency, amount }, {}, [textInput('before')])
        const { sessionId } = await shop.start()
        shop.kill(moment)
        await expect(shop.say(sessionId, 'go')).rejects.toThrow('killed')
        expect(runtimeOf(await shop.say(sessionId, 'go'))?.['paymentIntentSecret']).toBe('pi_1_secret')
        let hasPassed = false
        for (const what of steps) {
          if (hasPassed) break
          if (what === 'pay') shop.pay('pi_1')
          else if (what === 'down' || what === 'up') shop.setDown(what === 'down')
          else if (typeof what === 'string') {
            const text = JSON.stringify({
              type: 'payment_intent.succeeded',
              data: {
                object: { ...shop.intents.get('pi_1'), status: 'succeeded', amount_received: minor },
              },
            })
            const told =
              what === 'old event'
                ? shop.tell(text, signEvent(text, fixedNow - 301_000))
                : shop.tell(text, signEvent(text, fixedNow, 'whsec_2'))
            await expect(told).rejects.toThrow('The signature of the event')
          } else {
            if (what.killedAt) shop.kill(what.killedAt)
            if ('event' in what) {
              await shop.tell(shop.event('pi_1')).catch((error) => expect(error.message).toBe('killed'))
              continue
            }
            const answers = await Promise.allSettled(what.say.map((text) => shop.say(sessionId, text)))
            hasPassed = answers.some(
              (answer) => answer.status === 'fulfilled' && shownIds(answer.value).includes('thanks'),
            )
          }
        }
        const [intent, ...others] = shop.intents.values()
        expect([others.length, intent?.amount, intent?.currency]).toEqual([0, minor, currency.toLowerCase()])
        if (hasPassed) expect(intent).toMatchObject({ status: 'succeeded', amount_received: minor })
        const answers = (await shop.result())?.answers.filter(({ blockId }) => blockId === 'pay') ?? []
        expect(answers.length).toBeLessThanOrEqual(1)
        if (answers.length > 0) expect(intent?.status).toBe('succeeded')
        if (hasPassed) expect(answers).toHaveLength(1)
      }),
      { numRuns: 25 },
    )
  })
})

describe('the provider of payments', () => {
  it('has the answer written to the result of a visitor who has gone, once', async () => {
    const { start, pay, tell, event, result } = await startShop({ labels: { success: 'Thank you' } })
    await start()
    pay('pi_1')
    await tell(event('pi_1'))
    await tell(event('pi_1'))
    expect(await result()).toMatchObject({
      answers: [{ blockId: 'pay', content: 'Thank you' }],
      hasStarted: true,
      isCompleted: false,
    })
  })

  it('is believed when the visitor comes back, though it is away by then', async () => {
    const { start, say, pay, tell, event, setDown, result } = await startShop()
    const { sessionId } = await start()
    pay('pi_1')
    await tell(event('pi_1'))
    setDown(true)
    expect(shownIds(await say(sessionId, 'Success'))).toEqual(['thanks'])
    expect(await result()).toMatchObject({
      answers: [{ blockId: 'pay', content: 'Success' }],
      variables: [{ name: 'Total' }, { name: 'Paid', value: 'Success' }],
    })
    await tell(event('pi_1'))
    expect((await result())?.answers).toHaveLength(1)
  })

  it('learns no id of a session or a result', async () => {
    const { start, intents } = await startShop()
    await start()
    const [intent] = intents.values()
    expect(intent?.metadata.reference).toMatch(/^[\w-]{40,}$/)
    const sent = Buffer.from(intent?.metadata.reference ?? '', 'base64url').toString('latin1')
    expect(sent).not.toMatch(/session-1|result-1/)
  })

  it.each<[string, (object: Json) => Json]>([
    ['too little', (object) => ({ ...object, amount_received: 1 })],
    ['another currency', (object) => ({ ...object, currency: 'jpy' })],
    ['another payment', (object) => ({ ...object, id: 'pi_2' })],
    ['what is not done yet', (object) => ({ ...object, status: 'processing' })],
    ['no conversation', ({ metadata: _, ...object }) => object],
    ['what it can not have sealed', (object) => ({ ...object, metadata: { reference: 'A'.repeat(80) } })],
    ['less than a seal', (object) => ({ ...object, metadata: { reference: 'AAAA' } })],
  ])('changes nothing by telling of %s', async (_what, change) => {
    const { start, pay, tell, event, result } = await startShop()
    await start()
    pay('pi_1')
    const told = JSON.parse(event('pi_1'))
    await tell(JSON.stringify({ ...told, data: { object: change(told.data.object) } }))
    expect((await result())?.answers).toEqual([])
  })

  it('changes nothing by telling of other things', async () => {
    const { start, pay, tell, event, result } = await startShop()
    await start()
    pay('pi_1')
    await tell(event('pi_1', 'charge.refunded'))
    expect((await result())?.answers).toEqual([])
  })

  it.each<[string, (text: string) => [signature: string | undefined, accountId?: string]]>([
    ['signed with another secret', (text) => [signEvent(text, fixedNow, 'whsec_2')]],
    ['signed for another text', (text) => [signEvent(`${text} `, fixedNow)]],
    ['signed too long ago', (text) => [signEvent(text, fixedNow - 301_000)]],
    ['signed in the future', (text) => [signEvent(text, fixedNow + 302_000)]],
    ['hardly signed', () => ['t=,v1=']],
    ['signed at no time', (text) => [signEvent(text, fixedNow).replace(/t=\d+,/, '')]],
    ['for an account that is not there', (text) => [signEvent(text, fixedNow), 'c2']],
  ])('is not whoever sends an event %s', async (_how, sign) => {
    const { start, pay, tell, event, result } = await startShop()
    await start()
    pay('pi_1')
    const text = event('pi_1')
    await expect(tell(text, ...sign(text))).rejects.toThrow(
      'The signature of the event is missing, wrong or too old',
    )
    expect((await result())?.answers).toEqual([])
  })

  it('may sign with an old secret too while it is being replaced', async () => {
    const { start, pay, tell, event, result } = await startShop()
    await start()
    pay('pi_1')
    const text = event('pi_1')
    const [, other] = signEvent(text, fixedNow, 'whsec_2').split(',')
    await tell(text, signEvent(text, fixedNow).replace(',', `,${other},`))
    expect((await result())?.answers).toHaveLength(1)
  })
})

describe('an amount', () => {
  it.each([
    ['12.50', 'EUR', 1250],
    ['19.99', 'usd', 1999],
    ['500', 'JPY', 500],
    ['1.2345', 'KWD', 1230],
    ['0.1', 'EUR', 10],
  ])('%s %s is %d in the smallest unit', (text, currency, minor) => {
    expect(readAmount(text, currency)?.minor).toBe(minor)
  })

  it.each([
    ['', 'EUR'],
    ['a lot', 'EUR'],
    ['-5', 'EUR'],
    ['0', 'EUR'],
    ['0.001', 'EUR'],
    ['1e3', 'EUR'],
    ['12', 'EURO'],
    ['99999999', 'EUR'],
  ])('%j of %j can not be paid', (text, currency) => {
    expect(readAmount(text, currency)).toBeUndefined()
  })

  it('is never off by more than half of the smallest unit that can be paid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (cents) => {
        expect(readAmount((cents / 100).toFixed(2), 'EUR')?.minor).toBe(cents)
      }),
    )
  })
})
