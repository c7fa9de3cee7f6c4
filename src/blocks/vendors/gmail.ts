import { GmailBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { Step } from '../../engine/model/step.ts'
import { readMailbox } from '../integrations/email/mailbox.ts'
import { reportNote, reportProblem } from './lib/ask-vendor.ts'
import { assignItems, mappingMarks } from './lib/rows-and-items.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<GmailBlock['options']>

/** Sends a mail from a mailbox (docs/behaviour/integrations.md, "Gmail"). */
export const gmail = defineVendorBlock<GmailBlock>({
  schema: GmailBlock,
  actions: { 'Send email': sendEmail },
  marks: { ...mappingMarks, mails: true },
})

function* sendEmail(options: Options, context: RunContext): Effects<Step> {
  if (!context.isLive && !context.isMocked)
    return { logs: [reportNote('Emails are not sent in preview mode')] }
  const { credentialsId = 'default-gmail', subject, body = '', threadId, label, from, replyTo } = options
  const { to = '' } = options
  const people = [to, from, replyTo].filter((address) => address !== undefined)
  // One each: what a visitor typed must not add another.
  if (people.some((address) => !readMailbox(address)))
    return { logs: [reportProblem('Gmail: an address is missing or wrong')] }
  const sender = from === undefined ? undefined : readMailbox(from)?.email
  const outcome = yield* ask({
    type: 'mail',
    mail: {
      credentialsId,
      to: [to],
      cc: [],
      bcc: [],
      ...(replyTo !== undefined && { replyTo }),
      ...(subject !== undefined && { subject }),
      text: body,
      attachments: attachmentsOf(options, context),
      gmail: {
        ...(sender !== undefined && { from: sender }),
        ...(threadId !== undefined && { threadId }),
        ...(label !== undefined && { label }),
      },
    },
  })
  if (outcome.kind === 'refused') return { logs: [reportProblem(outcome.message)] }
  if (outcome.kind === 'failed') return { logs: [problem('Email not sent', outcome.message)] }
  const { id, threadId: thread, labelProblem } = outcome.details as Readonly<Record<string, unknown>>
  const parts = { 'Thread ID': thread, 'Message ID': id }
  return {
    assignments: assignItems(options.responseMapping, parts, 'Thread ID'),
    logs: labelProblem === undefined ? [] : [problem('The email was sent without its label', labelProblem)],
  }
}

/** The mailbox's error is for the author only. */
const problem = (description: string, details: unknown): LogEntry => ({
  audience: 'visitors without details',
  status: 'error',
  context: 'gmail',
  description,
  details: String(details),
})

function attachmentsOf({ attachments: id }: Options, { variables }: RunContext): readonly string[] {
  const value = id === undefined ? null : variables.get(id)
  const addresses = typeof value === 'string' ? value.split(', ') : (value ?? [])
  return addresses.flatMap((address) => address || [])
}
