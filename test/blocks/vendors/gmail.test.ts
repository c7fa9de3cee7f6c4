import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../../src/adapters/mailer/smtp-mailer.ts'
import type { Json } from '../../support/json.ts'
import { previewVendorBlock, runVendorBlock } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor, type VendorReply } from '../../vendors/strict-vendor.ts'

const closed = { additionalProperties: false }

interface Answers {
  readonly send?: VendorReply
  readonly modify?: VendorReply
}

/** Gmail as it is documented, and the server of its tokens. */
async function startGmail({ send, modify }: Answers = {}) {
  const mails: string[] = []
  const server = await startStrictVendor({
    refuse: (code, message) => ({ error: { code, message, status: 'INVALID_ARGUMENT' } }),
    routes: [
      {
        method: 'POST',
        path: /^\/token$/,
        form: Type.Object(
          {
            grant_type: Type.Literal('refresh_token'),
            refresh_token: Type.Literal('1//refresh-0001'),
            client_id: Type.Literal('client-1'),
            client_secret: Type.Literal('client-secret-0001'),
          },
          closed,
        ),
        answer: () => ({ json: { access_token: 'ya29.token-0001', expires_in: 3599, token_type: 'Bearer' } }),
      },
      {
        method: 'POST',
        path: /^\/gmail\/v1\/users\/me\/messages\/send$/,
        body: Type.Object({ raw: Type.RegExp(/^[\w-]+$/), threadId: Type.Optional(Type.String()) }, closed),
        answer({ body, headers }) {
          if (headers.get('authorization') !== 'Bearer ya29.token-0001') return { status: 401, json: {} }
          mails.push(Buffer.from(String(body['raw']), 'base64url').toString())
          return send ?? { json: { id: 'm-1', threadId: body['threadId'] ?? 't-1', labelIds: ['SENT'] } }
        },
      },
      {
        method: 'POST',
        path: /^\/gmail\/v1\/users\/me\/messages\/m-1\/modify$/,
        body: Type.Object({ addLabelIds: Type.Array(Type.Literal('Label_7')) }, closed),
        answer: () => modify ?? { json: { id: 'm-1', threadId: 't-1' } },
      },
    ],
  })
  return { server, mails }
}

async function send(options: Json = {}, answers: Answers = {}) {
  const { server, mails } = await startGmail(answers)
  const run = {
    type: 'gmail',
    account: {
      refresh_token: '1//refresh-0001',
      client_id: 'client-1',
      client_secret: 'client-secret-0001',
      token_uri: `${server.url}/token`,
      baseUrl: server.url,
      email: 'shop@gmail.example',
      name: 'The Shop',
    },
    options: { action: 'Send email', to: '{{To}}', subject: 'Hi', body: 'Dear {{Name}}', ...options },
    variables: { To: 'ada@mail.example', Name: 'Ada', Thread: 'old', Message: 'old', Files: null },
    chat: { mailer: createSmtpMailer() },
  }
  return { ...(await runVendorBlock(run)), server, mails, run }
}

const mapping = [{ variableId: 'vThread' }, { item: 'Message ID', variableId: 'vMessage' }]

describe('a mail from a mailbox', () => {
  it('is sent from its address, and what it became is written', async () => {
    const { mails, variables, visitorLogs } = await send({ responseMapping: mapping })
    expect(visitorLogs).toEqual([])
    expect(mails).toHaveLength(1)
    const [head = '', body] = (mails[0] ?? '').split('\r\n\r\n')
    expect(head).toContain('From: The Shop <shop@gmail.example>')
    expect(head).toContain('To: ada@mail.example')
    expect(head).toContain('Subject: Hi')
    expect(body?.trim()).toBe('Dear Ada')
    expect(variables).toMatchObject({ Thread: 't-1', Message: 'm-1' })
  })

  it('takes its place in a thread, another address of the mailbox and a label', async () => {
    const { mails, variables, server, visitorLogs } = await send({
      from: 'Ada <sales@gmail.example>',
      replyTo: 'desk@shop.example',
      threadId: 't-9',
      label: 'Label_7',
      responseMapping: mapping,
    })
    expect(visitorLogs).toEqual([])
    expect(mails[0]).toContain('sales@gmail.example')
    expect(mails[0]).toContain('Reply-To: desk@shop.example')
    expect(variables).toMatchObject({ Thread: 't-9' })
    expect(server.requests.at(-1)?.target).toContain('/m-1/modify')
  })

  it.each([
    ['two addresses', { to: '{{To}}, eve@mail.example' }],
    ['no address', { to: '' }],
    ['a sender that is none', { from: 'the shop' }],
    ['a header in an address', { replyTo: 'a@b.example\r\nBcc: eve@mail.example' }],
  ])('is not sent with %s', async (_what, options) => {
    const { server, visitorLogs } = await send(options)
    expect(server.requests).toEqual([])
    expect(visitorLogs).toEqual([{ status: 'error', description: 'Gmail: an address is missing or wrong' }])
  })

  it('keeps a subject on its line', async () => {
    const { mails } = await send({ subject: 'Hi\r\nBcc: eve@mail.example' })
    expect(mails[0]).not.toMatch(/^Bcc:/m)
  })

  it('takes no files but those of the conversation', async () => {
    const { server, visitorLogs } = await send({ attachments: 'vTo' })
    expect(server.requests).toEqual([])
    expect(visitorLogs).toMatchObject([
      { description: expect.stringContaining('Only files that were uploaded') },
    ])
  })

  it.each<[string, Answers, string, string]>([
    [
      'a refusal',
      { send: { status: 403, json: { error: { message: 'no ya29.token-0001' } } } },
      'Email not sent',
      'Gmail answered 403',
    ],
    ['no JSON', { send: { text: '<html>' } }, 'Email not sent', 'Gmail answered 200'],
    ['an answer without an id', { send: { json: { id: 7 } } }, 'Email not sent', 'Gmail answered 200'],
  ])('leaves a log after %s, and the flow goes on', async (_what, answers, description, details) => {
    const { visitorLogs, storedLogs, response, variables } = await send({ responseMapping: mapping }, answers)
    expect(visitorLogs).toEqual([{ status: 'error', context: 'gmail', description }])
    expect(storedLogs).toMatchObject([{ details: expect.stringContaining(details) }])
    expect(JSON.stringify(storedLogs)).not.toContain('ya29')
    expect(variables).toMatchObject({ Thread: 'old' })
    expect(response['messages']).toHaveLength(1)
  })

  it('tells of a label that could not be given', async () => {
    const { visitorLogs, variables } = await send(
      { label: 'Label_7', responseMapping: mapping },
      { modify: { status: 400, json: { error: { message: 'no label' } } } },
    )
    expect(visitorLogs).toMatchObject([{ description: 'The email was sent without its label' }])
    expect(variables).toMatchObject({ Thread: 't-1' })
  })

  it('is never sent by a preview', async () => {
    const { run, server } = await send()
    const before = server.requests.length
    expect(await previewVendorBlock(run)).toMatchObject([
      { status: 'info', description: 'Emails are not sent in preview mode' },
    ])
    expect(server.requests).toHaveLength(before)
  })
})
