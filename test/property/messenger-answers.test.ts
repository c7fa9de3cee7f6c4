import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMessenger } from '../../src/channels/create-messenger.ts'
import type { CallDependencies } from '../../src/channels/messenger.ts'
import type { ChannelAccount } from '../../src/channels/messenger-table.ts'

const accounts: Record<ChannelAccount['type'], ChannelAccount> = {
  whatsapp: {
    type: 'whatsapp',
    accessToken: 'the-secret-of-it',
    phoneNumberId: '1',
    businessAccountId: '2',
    appSecret: 'the-secret-of-it',
    verifyToken: 'v',
    baseUrl: 'https://graph.example/v1',
  },
  telegram: {
    type: 'telegram',
    botToken: '1:the-secret-of-it',
    secretToken: 'the-secret-of-it',
    baseUrl: 'https://bots.example',
  },
}

const scalar = fc.oneof(
  fc.constantFrom('x', '', true, null, 190, 100, 429, '../..', 'constructor'),
  fc.integer(),
)
const fields = [
  ...[
    'ok',
    'result',
    'error',
    'error_code',
    'description',
    'parameters',
    'retry_after',
    'message_id',
    'messages',
    'id',
  ],
  ...[
    'code',
    'message',
    'error_data',
    'details',
    'url',
    'file_path',
    'file_size',
    'data',
    'webhook_configuration',
  ],
]
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 5 }),
  ),
})).value
const answer = fc.record({
  status: fc.constantFrom(200, 204, 302, 400, 401, 403, 404, 429, 500, 502),
  text: fc.oneof(
    json.map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary' }),
  ),
  isCut: fc.boolean(),
})

/** An API that answers anything. */
const apiOf = ({
  status,
  text,
  isCut,
}: {
  status: number
  text: string
  isCut: boolean
}): CallDependencies => ({
  closing: new AbortController().signal,
  http: {
    stream: async () => ({
      status,
      body: (async function* () {
        yield Buffer.from(text)
        if (isCut) throw new Error('The connection was lost')
      })(),
    }),
  },
})

const messages = {
  whatsapp: {
    method: 'messages',
    body: { messaging_product: 'whatsapp', type: 'text', text: { body: 'Hi' } },
  },
  telegram: { method: 'sendMessage', body: { text: 'Hi' } },
}

describe.each(['whatsapp', 'telegram'] as const)('whatever %s answers', (type) => {
  const messenger = createMessenger(accounts[type])

  it('is an outcome of a message, a courtesy or a finding, and an error of a download', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        const deps = apiOf(given)
        const sent = await messenger.send({ to: '1', request: messages[type], reference: 'r' }, deps)
        if (sent.state === 'sent') expect([given.status, given.isCut]).toEqual([200, false])
        else expect(['wait', 'never', 'window', 'account']).toContain(sent.problem.kind)
        await messenger.showTyping({ id: 'x', user: { id: '1' } }, deps)
        await messenger.acknowledge?.('x', deps)
        const findings = await messenger.check('https://flows.example/hook', deps)
        expect(findings.length).toBeGreaterThan(0)
        const file = await messenger.download({ id: 'x' }, deps).catch((error: unknown) => error)
        if (file instanceof Error) expect(file.message).not.toBe('')
        expect(JSON.stringify([sent, findings, String(file)])).not.toContain('the-secret-of-it')
      }),
      { numRuns: 500 },
    )
  })
})
