import addressparser from 'nodemailer/lib/addressparser'
import { lazyModule } from '../../lib/lazy-module.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { MailOutcome } from '../../ports/known-types.ts'
import type { ComposedMail, MailAccount, Mailer, ResolvedMail } from '../../ports/mailer-port.ts'
import { describeAccount, describeMailError } from './redact-mail.ts'

export interface SmtpMailerOptions {
  /** Time to reach a server, its greeting and TLS included. */
  readonly connectMs?: number
  /** Time for a mail from first to last, waiting for others included. */
  readonly totalMs?: number
}

const nodemailer = lazyModule<typeof import('nodemailer')>('nodemailer')

/** Mails in transit at once: mail servers refuse clients that open too many connections. */
const mostAtOnce = 10

/**
 * Sends each mail over a connection of its own: it is known of each whether it was accepted, which a kept connection
 * that breaks in between leaves open.
 */
export function createSmtpMailer({ connectMs = 10_000, totalMs = 20_000 }: SmtpMailerOptions = {}): Mailer {
  const run = createSemaphore(mostAtOnce)
  const running = new Set<AbortController>()
  let isClosed = false
  return {
    async send(mail, givenUp) {
      if (isClosed) return failed(mail, new Error('The service is closing'))
      const stop = new AbortController()
      const giveUp = () => stop.abort(new Error('Sending was given up'))
      const timer = setTimeout(() => stop.abort(new Error(`Not sent within ${totalMs / 1000} s`)), totalMs)
      if (givenUp?.aborted) giveUp()
      givenUp?.addEventListener('abort', giveUp)
      running.add(stop)
      try {
        const { signal } = stop
        return await run(() => post(mail, connectMs, signal), signal)
      } catch (error) {
        return failed(mail, stop.signal.aborted ? stop.signal.reason : error)
      } finally {
        running.delete(stop)
        givenUp?.removeEventListener('abort', giveUp)
        clearTimeout(timer)
      }
    },
    async compose(mail) {
      const transport = nodemailer().createTransport({ streamTransport: true, buffer: true })
      const { message } = await transport.sendMail(messageOf(mail))
      return message as Buffer
    },
    async close() {
      isClosed = true
      for (const stop of running) stop.abort(new Error('The service is closing'))
    },
  }
}

async function post(mail: ResolvedMail, connectMs: number, signal: AbortSignal): Promise<MailOutcome> {
  const transport = nodemailer().createTransport(transportOf(mail.account, connectMs))
  const { rejected } = await transport.sendMail({
    ...messageOf({ ...mail, from: mail.account.from }),
    signal,
  })
  const details = { ...describe(mail), ...(rejected.length > 0 && { rejected }) }
  return { kind: 'sent', details }
}

function transportOf(account: MailAccount, connectMs: number) {
  const { host, port, username, password = '' } = account
  return {
    host,
    port,
    secure: isSecure(account),
    ignoreTLS: account.ignoresTls === true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username && { auth: { user: username, pass: password } }),
  }
}

/** TLS from the first byte, as port 465 implies. */
const isSecure = ({ isTlsEnabled, port }: MailAccount) => isTlsEnabled ?? port === 465

function messageOf(mail: ComposedMail) {
  return { ...headersOf(mail), ...contentOf(mail), xMailer: false as const }
}

function headersOf({ from, to, cc, bcc, replyTo, subject }: Omit<ComposedMail, 'attachments'>) {
  const answerTo = replyTo === undefined ? undefined : mailboxOf(replyTo)
  return {
    from: { name: onOneLine(answerTo?.name || from.name || ''), address: from.email },
    to: to.map(mailboxOf),
    cc: cc.map(mailboxOf),
    bcc: bcc.map(mailboxOf),
    ...(answerTo && { replyTo: answerTo }),
    ...(subject !== undefined && { subject: onOneLine(subject) }),
  }
}

function contentOf({ text, html, attachments }: ComposedMail) {
  return {
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    attachments: attachments.map(({ filename, content }) => ({
      filename: onOneLine(filename),
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
  }
}

/** Always one mailbox: text that looks like a second one gets no mail. */
function mailboxOf(text: string): { name: string; address: string } {
  const [first] = addressparser(onOneLine(text), { flatten: true })
  return { name: first?.name ?? '', address: first?.address ?? '' }
}

/** A header ends with its line, and so would the next one begin. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

function failed(mail: ResolvedMail, error: unknown): MailOutcome {
  const described = describeMailError(error, mail.account)
  return { kind: 'failed', message: described.message, details: { error: described, ...describe(mail) } }
}

/** The view of a mail for the author of the flow. */
function describe(mail: ResolvedMail) {
  const { from, ...headers } = headersOf({ ...mail, from: mail.account.from })
  const write = ({ name, address }: { name: string; address: string }) =>
    name === '' ? address : `${JSON.stringify(name)} <${address}>`
  return {
    transportConfig: describeAccount(mail.account, isSecure(mail.account)),
    email: {
      from: write(from),
      to: headers.to.map(write),
      cc: headers.cc.map(write),
      bcc: headers.bcc.map(write),
      ...(headers.replyTo && { replyTo: write(headers.replyTo) }),
      ...(headers.subject !== undefined && { subject: headers.subject }),
      attachments: mail.attachments.map(({ filename, content }) => ({ filename, bytes: content.byteLength })),
      ...(mail.text !== undefined && { text: mail.text }),
      ...(mail.html !== undefined && { html: mail.html }),
    },
  }
}
