import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSmtpMailer, type SmtpMailerOptions } from '../../../src/adapters/mailer/smtp-mailer.ts'
import type { MailOutcome } from '../../../src/ports/known-types.ts'
import type { MailAccount, ResolvedMail } from '../../../src/ports/mailer-port.ts'
import { startSmtpServer } from './smtp-test-server.ts'

const from = { email: 'no-reply@shop.example', name: 'Shop' }

function mailTo(
  port: number,
  given: Partial<ResolvedMail> & { account?: never } = {},
  account: Partial<MailAccount> = {},
) {
  return {
    account: { host: '127.0.0.1', port, from, ...account },
    to: ['desk@shop.example'],
    cc: [],
    bcc: [],
    subject: 'Quote',
    text: 'Hello',
    attachments: [],
    ...given,
  } satisfies ResolvedMail
}

function openMailer(options?: SmtpMailerOptions) {
  const mailer = createSmtpMailer(options)
  onTestFinished(() => mailer.close())
  return mailer
}

/** A server that speaks SMTP as the test says, or not at all. */
async function startRawServer(converse: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    converse(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as { port: number }).port
}

/** Answers each line by the first word of it. */
function answering(answers: Record<string, string | ((line: string) => string)>) {
  return (socket: Socket) => {
    socket.write('220 test\r\n')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const answer = answers[line.split(/[ :]/)[0] ?? ''] ?? '250 OK'
        socket.write(`${typeof answer === 'string' ? answer : answer(line)}\r\n`)
      }
    })
  }
}

const errorOf = (outcome: MailOutcome) =>
  (outcome as { details: { error: { message: string; code?: string; responseCode?: number } } }).details.error

describe('a mail', () => {
  it('reaches everybody, and shows hidden copies to nobody', async () => {
    const server = await startSmtpServer()
    const mail = mailTo(server.port, { cc: ['a@shop.example'], bcc: ['hidden@shop.example'] })
    expect(await openMailer().send(mail)).toMatchObject({ kind: 'sent' })
    const [received] = server.mails
    expect(received).toMatchObject({
      from: 'no-reply@shop.example',
      to: ['desk@shop.example', 'a@shop.example', 'hidden@shop.example'],
      user: undefined,
      isEncrypted: false,
    })
    expect(received?.headers.get('from')).toBe('Shop <no-reply@shop.example>')
    expect(received?.headers.get('to')).toBe('desk@shop.example')
    expect(received?.headers.get('cc')).toBe('a@shop.example')
    expect(received?.raw).not.toContain('hidden@shop.example')
    expect(received?.headers.get('content-type')).toContain('text/plain')
    expect(received?.raw).toContain('\r\n\r\nHello')
  })

  it('is HTML where it has HTML', async () => {
    const server = await startSmtpServer()
    const { text: _, ...mail } = mailTo(server.port)
    await openMailer().send({ ...mail, html: '<p>Hello</p>' })
    expect(server.mails[0]?.headers.get('content-type')).toContain('text/html')
    expect(server.mails[0]?.raw).toContain('\r\n\r\n<p>Hello</p>')
  })

  it('reports to its author what was sent, and how', async () => {
    const server = await startSmtpServer()
    const files = [{ filename: 'a.txt', content: new TextEncoder().encode('abc') }]
    const mail = mailTo(server.port, { replyTo: '"Ada" <ada@mail.example>', attachments: files })
    const account = { ...mail.account, username: 'relay-user', password: 'pa55word' }
    expect(await openMailer().send({ ...mail, account })).toEqual({
      kind: 'sent',
      details: {
        transportConfig: {
          host: '127.0.0.1',
          port: server.port,
          secure: false,
          auth: { user: '******', pass: '******' },
        },
        email: {
          from: '"Ada" <no-reply@shop.example>',
          to: ['desk@shop.example'],
          cc: [],
          bcc: [],
          replyTo: '"Ada" <ada@mail.example>',
          subject: 'Quote',
          attachments: [{ filename: 'a.txt', bytes: 3 }],
          text: 'Hello',
        },
      },
    })
  })

  it.each([
    [
      '"Léa" <lea@mail.example>',
      '=?UTF-8?Q?L=C3=A9a?= <no-reply@shop.example>',
      '=?UTF-8?Q?L=C3=A9a?= <lea@mail.example>',
    ],
    [
      '"Doe, Jane" <jane@mail.example>',
      '"Doe, Jane" <no-reply@shop.example>',
      '"Doe, Jane" <jane@mail.example>',
    ],
    ['lea@mail.example', 'Shop <no-reply@shop.example>', 'lea@mail.example'],
  ])('is answered to %s', async (replyTo, sender, header) => {
    const server = await startSmtpServer()
    await openMailer().send(mailTo(server.port, { replyTo }))
    expect(server.mails[0]?.headers.get('from')).toBe(sender)
    expect(server.mails[0]?.headers.get('reply-to')).toBe(header)
  })

  it('comes from a bare address when nobody has a name', async () => {
    const server = await startSmtpServer()
    await openMailer().send(mailTo(server.port, {}, { from: { email: from.email } }))
    expect(server.mails[0]?.headers.get('from')).toBe('no-reply@shop.example')
    expect(server.mails[0]?.headers.has('reply-to')).toBe(false)
  })

  it.each(['\r\n', '\n', '\r', '\r\n\r\n'])('gets no header from a text with %j', async (line) => {
    const server = await startSmtpServer()
    const hostile = `x${line}Bcc: victim@mail.example${line}X-Hostile: 1`
    const account = { from: { email: from.email, name: hostile } }
    const attachments = [{ filename: hostile, content: new Uint8Array(1) }]
    const mail = mailTo(
      server.port,
      { subject: hostile, to: [`"${hostile}" <desk@shop.example>`], attachments },
      account,
    )
    await openMailer().send(mail)
    const [received] = server.mails
    expect(received?.to).toEqual(['desk@shop.example'])
    expect([...(received?.headers.keys() ?? [])]).not.toContain('bcc')
    expect(received?.raw).not.toMatch(/^(bcc|x-hostile):/im)
    expect(received?.headers.get('subject')).toBe('x Bcc: victim@mail.example X-Hostile: 1')
  })

  it.each([
    'desk@shop.example, victim@mail.example',
    '"Desk" <desk@shop.example>, <victim@mail.example>',
    'Team: desk@shop.example, victim@mail.example;',
  ])('reaches one mailbox by %s', async (text) => {
    const server = await startSmtpServer()
    await openMailer().send(mailTo(server.port, { to: [text] }))
    expect(server.mails[0]?.to).toEqual(['desk@shop.example'])
  })

  it('carries files as they are', async () => {
    const server = await startSmtpServer()
    const content = new Uint8Array([0, 255, 13, 10, 46, 13, 10, 7]).subarray(1)
    await openMailer().send(mailTo(server.port, { attachments: [{ filename: 'Öl.bin', content }] }))
    const [received] = server.mails
    expect(received?.raw).toContain('Content-Disposition: attachment')
    expect(received?.raw).toContain(Buffer.from(content).toString('base64'))
  })

  it('is text, though it reads like the name of a file or an address', async () => {
    const server = await startSmtpServer()
    await openMailer().send(mailTo(server.port, { text: '/etc/hostname' }))
    expect(server.mails[0]?.raw).toContain('\r\n\r\n/etc/hostname')
  })

  it('is sent to those that the server takes, and names the others', async () => {
    const server = await startSmtpServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.startsWith('gone') ? new Error('No such user') : null),
    })
    const outcome = await openMailer().send(mailTo(server.port, { cc: ['gone@shop.example'] }))
    expect(outcome).toMatchObject({ kind: 'sent', details: { rejected: ['gone@shop.example'] } })
  })
})

describe('an account', () => {
  it('logs in with its user name', async () => {
    const server = await startSmtpServer()
    await openMailer().send(mailTo(server.port, {}, { username: 'u', password: 'p' }))
    expect(server.mails[0]?.user).toBe('u')
  })

  it.each([{}, { username: '' }, { password: 'p' }, { username: '', password: 'p' }])(
    'does not log in as nobody: %j',
    async (login) => {
      const server = await startSmtpServer()
      await openMailer().send(mailTo(server.port, {}, login))
      expect(server.mails[0]?.user).toBeUndefined()
    },
  )

  it('sends without a login where none is offered', async () => {
    const server = await startSmtpServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
    const outcome = await openMailer().send(mailTo(server.port, {}, { username: 'u', password: 'p' }))
    expect(outcome.kind).toBe('sent')
  })

  it('speaks TLS when it is offered, and trusts no unknown certificate', async () => {
    const server = await startSmtpServer({ disabledCommands: [] })
    const outcome = await openMailer().send(mailTo(server.port))
    expect(outcome).toMatchObject({ kind: 'failed', details: { error: { code: 'ESOCKET' } } })
    expect(errorOf(outcome).message).toMatch(/self.signed|expired/)
    expect(server.mails).toEqual([])
  })

  it('speaks no TLS when it ignores it', async () => {
    const server = await startSmtpServer({ disabledCommands: [] })
    const outcome = await openMailer().send(mailTo(server.port, {}, { ignoresTls: true }))
    expect(outcome.kind).toBe('sent')
    expect(server.mails[0]?.isEncrypted).toBe(false)
  })

  it.each([
    [{ isTlsEnabled: true }, true],
    [{ isTlsEnabled: false }, false],
    [{}, false],
  ])('with %j begins with TLS: %s', async (account, isSecure) => {
    const opened: number[] = []
    const port = await startRawServer((socket) => {
      socket.once('data', (data) => {
        opened.push(data[0] ?? -1)
        socket.destroy()
      })
      if (!isSecure) socket.write('220 test\r\n')
    })
    const outcome = await openMailer().send(mailTo(port, {}, account))
    // A TLS handshake is a record of type 22; a conversation in the clear begins with EHLO.
    expect(opened).toEqual([isSecure ? 22 : 'E'.charCodeAt(0)])
    expect(outcome).toMatchObject({
      kind: 'failed',
      details: { transportConfig: { secure: isSecure } },
    })
  })

  it.each([
    [465, {}, true],
    [465, { isTlsEnabled: false }, false],
    [587, {}, false],
    [25, {}, false],
  ])('at port %s with %j has TLS from the first byte: %s', async (port, account, secure) => {
    // Nobody is asked: the mail is given up before it is begun.
    const outcome = await openMailer().send(mailTo(port, {}, account), AbortSignal.abort())
    expect(outcome).toMatchObject({ kind: 'failed', details: { transportConfig: { port, secure } } })
  })
})

describe('a mail that is not sent', () => {
  it('says why', async () => {
    const port = await startRawServer(answering({ RCPT: '550 5.1.1 No such user' }))
    const outcome = await openMailer().send(mailTo(port))
    expect(outcome).toMatchObject({
      kind: 'failed',
      details: {
        error: { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' },
        email: { to: ['desk@shop.example'], subject: 'Quote', text: 'Hello' },
      },
    })
    expect(errorOf(outcome).message).toContain('550 5.1.1 No such user')
    expect(outcome).toHaveProperty('message', errorOf(outcome).message)
  })

  it('says so when nobody listens', async () => {
    const outcome = await openMailer().send(mailTo(1))
    expect(outcome).toMatchObject({ kind: 'failed', details: { error: { code: 'ESOCKET' } } })
    expect(errorOf(outcome).message).toContain('ECONNREFUSED')
  })

  const username = 'relay-user@shop.example'
  const password = 'pa55 w"rd'
  const plain = Buffer.from(`\0${username}\0${password}`).toString('base64')

  it('does not repeat what a server says about a login', async () => {
    const port = await startRawServer(
      answering({
        EHLO: '250-test\r\n250 AUTH PLAIN',
        AUTH: (line) => `535 ${username} ${password} ${line}`,
      }),
    )
    const outcome = await openMailer().send(mailTo(port, {}, { username, password }))
    expect(errorOf(outcome)).toEqual({
      message: 'The mail server refused the login',
      code: 'EAUTH',
      responseCode: 535,
      command: 'AUTH PLAIN',
    })
    expect(JSON.stringify(outcome)).not.toMatch(/relay-user|pa55/)
    expect(JSON.stringify(outcome)).not.toContain(plain)
  })

  it('hides the login wherever else a server repeats it', async () => {
    const echoed = `${username} ${password} ${plain} ${Buffer.from(password).toString('base64')}`
    const port = await startRawServer(
      answering({
        EHLO: '250-test\r\n250 AUTH PLAIN',
        AUTH: '235 welcome',
        MAIL: `550 ${echoed} may not send`,
      }),
    )
    const outcome = await openMailer().send(mailTo(port, {}, { username, password }))
    expect(errorOf(outcome).message).toContain('550 ****** ****** ****** ****** may not send')
    expect(JSON.stringify(outcome)).not.toMatch(/relay-user|pa55/)
  })

  it('does not repeat pages of a server', async () => {
    const port = await startRawServer(answering({ MAIL: `550 ${'x'.repeat(5000)}` }))
    const outcome = await openMailer().send(mailTo(port))
    expect(errorOf(outcome).message.length).toBeLessThan(310)
  })

  it('is given up when a server never greets', async () => {
    const port = await startRawServer(() => {})
    const outcome = await openMailer({ connectMs: 50 }).send(mailTo(port))
    expect(outcome).toMatchObject({ kind: 'failed', details: { error: { code: 'ETIMEDOUT' } } })
  })

  it('is given up when a server drips', async () => {
    const port = await startRawServer((socket) => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const outcome = await openMailer({ totalMs: 200 }).send(mailTo(port))
    expect(outcome).toMatchObject({ kind: 'failed', message: 'Not sent within 0.2 s' })
  })

  it('is given up with its turn', async () => {
    const turn = new AbortController()
    const port = await startRawServer(() => turn.abort())
    const outcome = await openMailer().send(mailTo(port), turn.signal)
    expect(outcome).toMatchObject({ kind: 'failed', message: 'Sending was given up' })
  })

  it('is given up when the service closes, and none is begun afterwards', async () => {
    const mailer = createSmtpMailer()
    const port = await startRawServer(() => void mailer.close())
    const expected = { kind: 'failed', message: 'The service is closing' }
    expect(await mailer.send(mailTo(port))).toMatchObject(expected)
    expect(await mailer.send(mailTo(port))).toMatchObject(expected)
  })
})

it('opens no more than ten connections at once', async () => {
  const server = await startSmtpServer()
  const mailer = openMailer()
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => mailer.send(mailTo(server.port))))
  expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true)
  expect(server.mails).toHaveLength(40)
  expect(server.mostOpen()).toBeLessThanOrEqual(12)
})

it('lets those who wait give up', async () => {
  const port = await startRawServer(() => {})
  const mailer = openMailer({ totalMs: 100 })
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => mailer.send(mailTo(port))))
  expect(outcomes.map((outcome) => (outcome as { message: string }).message)).toEqual(
    Array(12).fill('Not sent within 0.1 s'),
  )
})
