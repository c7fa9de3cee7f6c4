import type { MailOutcome, VendorCall, VendorOutcome } from '../../../engine/model/effect-payloads.ts'
import { detailRefusal } from '../../../engine/values/mask-url.ts'
import { isPathPart, pathPart } from '../../../engine/values/path-part.ts'
import type { VendorAccount } from '../../../ports/credentials-port.ts'
import type { Mailer } from '../../../ports/mailer-port.ts'
import { parseRedacted } from '../redact-secrets.ts'
import type { UnsentMail } from './send-mail.ts'

/** Milliseconds that the mailbox has for each call. */
const timeoutMs = 20_000

interface GmailAccess {
  readonly account: VendorAccount
  readonly mailer: Pick<Mailer, 'compose'>
  call(call: VendorCall): Promise<VendorOutcome>
}

/** Sends a mail from a mailbox of Gmail (docs/behaviour/integrations.md, "Gmail"). */
export async function sendByGmail(
  { credentialsId, gmail = {}, ...mail }: UnsentMail,
  { account, mailer, call }: GmailAccess,
): Promise<MailOutcome> {
  const { email = '', name } = account.grant(undefined)?.facts ?? {}
  const from = gmail.from === undefined ? { email, ...(name && { name }) } : { email: gmail.from }
  const raw = Buffer.from(await mailer.compose({ ...mail, from })).toString('base64url')
  const { threadId, label } = gmail
  const post = (path: string, json: object) =>
    call({
      ...{ vendor: 'gmail', credentialsId, method: 'POST', timeoutMs },
      path: `/gmail/v1/users/me/messages/${path}`,
      json,
    })
  const sent = await post('send', { raw, ...(threadId !== undefined && { threadId }) })
  const message = readMessage(sent)
  if (!message) return notSent(sent)
  if (label === undefined) return { kind: 'sent', details: message }
  const labelled = await post(`${pathPart(message.id)}/modify`, { addLabelIds: [label] })
  const isLabelled = labelled.kind === 'response' && labelled.status === 200
  return { kind: 'sent', details: isLabelled ? message : { ...message, labelProblem: problemOf(labelled) } }
}

interface SentMessage {
  readonly id: string
  readonly threadId: string | undefined
}

function readMessage(outcome: VendorOutcome): SentMessage | undefined {
  if (outcome.kind !== 'response' || outcome.status !== 200) return undefined
  const { id, threadId } = Object(parseRedacted(outcome.text, [])?.value) as Record<string, unknown>
  if (typeof id !== 'string' || !isPathPart(id)) return undefined
  return { id, threadId: typeof threadId === 'string' ? threadId : undefined }
}

function notSent(outcome: VendorOutcome): MailOutcome {
  const problem = problemOf(outcome)
  return { kind: 'failed', message: problem, details: { error: problem } }
}

/** Characters of an answer that the author sees. */
const quotedCharacters = 1000

function problemOf(outcome: VendorOutcome): string {
  switch (outcome.kind) {
    case 'response':
      return `Gmail answered ${outcome.status}. ${detailRefusal(outcome.status, outcome.text).slice(0, quotedCharacters)}`
    case 'timeout':
      return 'Gmail did not answer in time'
    case 'failed':
      return `Gmail could not be reached: ${outcome.message}`
    case 'no account':
      return 'There are no such credentials, or this flow may not use them'
    default:
      return outcome.reason
  }
}
