import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  /** By their names in small letters; folded lines are joined. */
  readonly headers: ReadonlyMap<string, string>
  readonly user: string | undefined
  readonly isEncrypted: boolean
}

export interface TestSmtpServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** The most connections that were open at once. */
  readonly mostOpen: () => number
}

/** Starts a mail server on this machine, until the test is over. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = []
  let open = 0
  let mostOpen = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, callback) {
      open += 1
      mostOpen = Math.max(mostOpen, open)
      callback()
    },
    onClose: () => {
      open -= 1
    },
    onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
    async onData(stream, session, callback) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const raw = Buffer.concat(chunks).toString('utf8')
      const { mailFrom, rcptTo } = session.envelope
      mails.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        headers: headersOf(raw),
        user: session.user as string | undefined,
        isEncrypted: session.secure,
      })
      callback()
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, mails, mostOpen: () => mostOpen }
}

function headersOf(raw: string): Map<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
