import type { MailAccount } from '../../ports/mailer-port.ts'

const mask = '******'
/** Characters of what a mail server says: enough for its reason, and no page. */
const maxLength = 300

/** Transport of an account's mails, without its identity. */
export function describeAccount({ host, port, username }: MailAccount, secure: boolean): object {
  return { host, port, secure, ...(username && { auth: { user: mask, pass: mask } }) }
}

interface MailError {
  readonly message: string
  readonly code?: string
  /** Reply code of the server. */
  readonly responseCode?: number
  readonly command?: string
}

/**
 * Reason why a mail was not sent, for its author. A server may repeat its input: after a failed login its text is left
 * out, and otherwise the user name and the password are.
 */
export function describeMailError(error: unknown, account: MailAccount): MailError {
  const { message, code, responseCode, command } = error as Partial<Omit<MailError, 'code'>> & {
    code?: unknown
  }
  const isLogin = command?.startsWith('AUTH') || code === 'EAUTH'
  return {
    message: isLogin ? 'The mail server refused the login' : withoutSecrets(String(message), account),
    ...(typeof code === 'string' && { code }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(command !== undefined && { command }),
  }
}

function withoutSecrets(text: string, { username = '', password = '' }: MailAccount): string {
  const plain = [username, password, `\0${username}\0${password}`]
  const secrets = [...plain, ...plain.map((secret) => Buffer.from(secret).toString('base64'))]
  // The longest first: what holds another one would otherwise be left in pieces.
  const hidden = secrets
    .filter((secret) => secret.replaceAll('\0', '') !== '')
    .sort((a, b) => b.length - a.length)
  const redacted = hidden.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}...` : redacted
}
