import type { Mail, MailOutcome } from '../../../engine/model/effect-payloads.ts'
import type { Turn } from '../../../engine/turn/turn.ts'
import type { CredentialScope, VendorAccount } from '../../../ports/credentials-port.ts'
import type { ResolvedMail } from '../../../ports/mailer-port.ts'
import { resultOwner } from '../../../uploads/upload-path.ts'
import type { TurnDependencies } from '../../dependencies.ts'
import { readUpload } from '../http/read-upload.ts'

/** Mails of one turn, and of one session. */
const perTurn = 5
const perSession = 20

/** Bytes of all files of a mail. */
const mostAttached = 10 * 1024 * 1024

/** A mail with its files at hand. */
export type UnsentMail = Omit<ResolvedMail, 'account'> & Pick<Mail, 'credentialsId'>

/** Sends the mails of one turn (docs/behaviour/integrations.md, "Email"). What is refused here is no call. */
export type MailSender = (
  mail: Mail,
  terms: {
    readonly scope: CredentialScope
    /** Undefined when the turn may make no more calls. */
    send(mail: ResolvedMail): Promise<MailOutcome | undefined>
    sendByGmail(mail: UnsentMail, account: VendorAccount): Promise<MailOutcome>
  },
) => Promise<MailOutcome | undefined>

export function createMailSender(turn: Turn, deps: TurnDependencies): MailSender {
  const { conversation } = turn
  let sent = 0
  let last: string | undefined
  return async (mail, { scope, send, sendByGmail }) => {
    if (scope.kind !== 'live') return refused('Emails are not sent in preview mode')
    const { credentialsId } = mail
    const gmail = mail.gmail && deps.credentials.vendor(credentialsId, 'gmail', scope)
    const account = mail.gmail ? undefined : deps.credentials.mailAccount(credentialsId, scope)
    if (!account && !gmail) return refused('There are no such credentials, or this flow may not use them')
    if (sent >= perTurn) return refused(`A turn sends at most ${perTurn} emails`)
    if (conversation.mails >= perSession) return refused(`A conversation sends at most ${perSession} emails`)
    const content = JSON.stringify(mail)
    if (content === last) return refused('The same email is not sent twice in a row')
    const attachments = await readAttachments(mail.attachments, turn.currentFrame.resultId, deps)
    if (!attachments)
      return refused('Only files that were uploaded in this conversation can be attached, 10 MiB at most')
    sent += 1
    conversation.mails += 1
    last = content
    if (gmail) return sendByGmail({ ...mail, attachments }, gmail)
    const { credentialsId: _, ...rest } = mail
    return account && send({ ...rest, account, attachments })
  }
}

function refused(message: string): MailOutcome {
  return { kind: 'refused', message }
}

/** The files behind addresses; undefined when one of them is not this conversation's, or all are too large. */
async function readAttachments(
  addresses: readonly string[],
  resultId: string | undefined,
  { files }: Pick<TurnDependencies, 'files'>,
): Promise<ResolvedMail['attachments'] | undefined> {
  if (addresses.length === 0) return []
  if (!files || resultId === undefined) return undefined
  const owner = resultOwner(resultId)
  const attached: { filename: string; content: Uint8Array }[] = []
  let bytes = 0
  for (const address of addresses) {
    const file = await readUpload(address, { owner, files, mostBytes: mostAttached - bytes })
    if (!file) return undefined
    bytes += file.content.length
    attached.push(file)
  }
  return attached
}
