import { expect, it, onTestFinished } from 'vitest'
import type { EmailBlock } from '../../../schemas/blocks/integrations.ts'
import { createSmtpMailer } from '../../../src/adapters/mailer/smtp-mailer.ts'
import { email } from '../../../src/blocks/integrations/email.ts'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import type { BlockHandler } from '../../../src/engine/model/block-handler.ts'
import type { Mail } from '../../../src/engine/model/effect-payloads.ts'
import type { Effects } from '../../../src/engine/model/effects.ts'
import type { Step } from '../../../src/engine/model/step.ts'
import { type ReceivedMail, startSmtpServer } from '../../adapters/mailer/smtp-test-server.ts'
import { prepareBlock, type Surroundings } from '../../support/run-block.ts'

/** The mail that a block asks for. */
function composeMail(
  options: EmailBlock['options'],
  variables: NonNullable<Surroundings['variables']>,
): Mail {
  const mails: Mail[] = []
  const noting: BlockHandler = {
    ...email,
    run(compiled, context) {
      const { value } = (email.run(compiled, context) as Effects<Step>).next()
      if (value && 'mail' in value) mails.push(value.mail)
      return {}
    },
  }
  prepareBlock(noting, { id: 'b1', type: 'Email', options } as EmailBlock, { variables }).run()
  if (!mails[0]) throw new Error('no mail was asked for')
  return mails[0]
}

/** What arrives at a mail server of what a block sends. */
async function deliver(
  options: EmailBlock['options'],
  variables: NonNullable<Surroundings['variables']>,
): Promise<ReceivedMail | undefined> {
  const server = await startSmtpServer()
  const SMTP_URL = `smtp://u:p@127.0.0.1:${server.port}?from=Shop%20%3Cno-reply%40shop.example%3E`
  const { credentials } = readCredentials(undefined, { SMTP_URL })
  const { credentialsId, ...mail } = composeMail(options, variables)
  const scope = { kind: 'live', flowId: 'flow-1', workspaceId: undefined } as const
  const account = credentials.mailAccount(credentialsId, scope)
  if (!account) throw new Error('no account was found')
  const mailer = createSmtpMailer()
  onTestFinished(() => mailer.close())
  expect(await mailer.send({ ...mail, account, attachments: [] })).toMatchObject({ kind: 'sent' })
  return server.mails[0]
}

const quote: EmailBlock['options'] = {
  credentialsId: 'default',
  recipients: ['desk@shop.example', '{{Email}}'],
  replyTo: '{{Name}} <{{Email}}>',
  subject: 'Quote for {{Name}}',
  isCustomBody: true,
  isBodyCode: true,
  body: '<p>Hello {{Name}}</p>',
}

it('delivers what a flow composes', async () => {
  const received = await deliver(quote, { Name: 'Ada', Email: 'ada@mail.example' })
  expect(received).toMatchObject({
    from: 'no-reply@shop.example',
    to: ['desk@shop.example', 'ada@mail.example'],
    user: 'u',
  })
  expect(received?.headers.get('from')).toBe('Ada <no-reply@shop.example>')
  expect(received?.headers.get('reply-to')).toBe('Ada <ada@mail.example>')
  expect(received?.headers.get('subject')).toBe('Quote for Ada')
  expect(received?.raw).toContain('\r\n\r\n<p>Hello Ada</p>')
})

it('leaves a name that reads like an address out, and its HTML harmless', async () => {
  const received = await deliver(quote, { Name: 'Léa <b>', Email: 'lea@mail.example' })
  expect(received?.headers.get('from')).toBe('Shop <no-reply@shop.example>')
  expect(received?.headers.has('reply-to')).toBe(false)
  expect(received?.headers.get('subject')).toBe('=?UTF-8?Q?Quote_for_L=C3=A9a_=3Cb=3E?=')
  expect(received?.raw).toContain('<p>Hello L=C3=A9a &lt;b&gt;</p>')
})

it.each([
  'x\r\nBcc: eve@mail.example\r\n\r\n<b>',
  'x\nBcc: eve@mail.example',
  'x\u2028Bcc: eve@mail.example',
  'x\r\n.\r\nMAIL FROM:<eve@mail.example>\r\nRCPT TO:<eve@mail.example>',
  '"x\\" <eve@mail.example>, "',
  'x, eve@mail.example',
  'eve@mail.example>, <eve@mail.example',
  '=?UTF-8?Q?x=0D=0ABcc:_eve@mail.example?=',
])('writes to nobody else for %j', async (Name) => {
  const options = {
    ...quote,
    recipients: ['desk@shop.example', '{{Name}} <a@shop.example>'],
    replyTo: '{{Name}} <ada@mail.example>',
  }
  const received = await deliver(options, { Name })
  expect(received?.from).toBe('no-reply@shop.example')
  expect(['desk@shop.example', 'a@shop.example']).toEqual(expect.arrayContaining([...(received?.to ?? [])]))
  expect(received?.headers.has('bcc')).toBe(false)
  expect(received?.headers.has('content-type')).toBe(true)
})
