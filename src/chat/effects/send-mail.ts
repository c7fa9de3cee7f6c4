import type { Mail, MailOutcome } from '../../engine/model/effect-payloads.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { CredentialScope, ResolvedMail, UploadedFiles } from '../../ports.ts'
import { parseUploadPath, resultOwner } from '../../uploads/upload-path.ts'
import type { ChatDependencies } from '../dependencies.ts'

/** Mails of one turn, and of one session. */
const perTurn = 5
const perSession = 20

/** Bytes of all files of a mail. */
const mostAttached = 10 * 1024 * 1024

/** Sends the mails of one turn (docs/behaviour/integrations.md, "Email"). What is refused here is no call. */
export type MailSender = (
  mail: Mail,
  terms: {
    readonly borrower: CredentialScope
    /** Undefined when the turn may make no more calls. */
    send(mail: ResolvedMail): Promise<MailOutcome | undefined>
  },
) => Promise<MailOutcome | undefined>

export function createMailSender(turn: Turn, deps: ChatDependencies): MailSender {
  const { conversation } = turn
  let sent = 0
  let last: string | undefined
  return async (mail, { borrower, send }) => {
    if (borrower.kind !== 'live') return refused('Emails are not sent in preview mode')
    const account = deps.credentials.mailAccount(mail.credentialsId, borrower)
    if (!account) return refused('There are no such credentials, or this flow may not use them')
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
    const { credentialsId: _, ...rest } = mail
    return send({ ...rest, account, attachments })
  }
}

function refused(message: string): MailOutcome {
  return { kind: 'refused', message }
}

/** The files behind addresses; undefined when one of them is not this conversation's, or all are too large. */
async function readAttachments(
  addresses: readonly string[],
  resultId: string | undefined,
  { files }: Pick<ChatDependencies, 'files'>,
): Promise<ResolvedMail['attachments'] | undefined> {
  if (addresses.length === 0) return []
  if (!files || resultId === undefined) return undefined
  const owner = resultOwner(resultId)
  const attached: { filename: string; content: Uint8Array }[] = []
  let bytes = 0
  for (const address of addresses) {
    const file = await readFile(address, { owner, files, mostBytes: mostAttached - bytes })
    if (!file) return undefined
    bytes += file.content.length
    attached.push(file)
  }
  return attached
}

async function readFile(
  address: string,
  { owner, files, mostBytes }: { owner: string; files: UploadedFiles; mostBytes: number },
): Promise<{ filename: string; content: Uint8Array } | undefined> {
  const place = parseUploadPath(address, owner)
  const file = place && (await files.open(place))
  if (!place || !file) return undefined
  if (file.size > mostBytes) {
    await file.close()
    return undefined
  }
  const chunks: Buffer[] = []
  for await (const chunk of file.read()) chunks.push(chunk as Buffer)
  return { filename: place.name, content: Buffer.concat(chunks) }
}
