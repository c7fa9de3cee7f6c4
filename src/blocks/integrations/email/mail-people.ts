import type { EmailBlock } from '../../../../schemas/blocks/integrations.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Mail } from '../../../engine/model/effect-payloads.ts'
import { type LogEntry, visibleError } from '../../../engine/model/log-entry.ts'
import { renderPlaceholder, type TextTemplate } from '../../../engine/templates/text-template.ts'
import { readMailbox, writeMailbox } from './mailbox.ts'

/** Whom a mail is about: each text stands for one address, or for a variable that holds some. */
export interface MailPeople {
  readonly to: readonly TextTemplate[]
  readonly cc: readonly TextTemplate[]
  readonly bcc: readonly TextTemplate[]
  readonly replyTo: readonly TextTemplate[]
}

/** People that one mail goes to; a list that a visitor filled may be of any length. */
const mostPeople = 100

/** Prepares the addresses of a mail. */
export function compileMailPeople(
  { recipients = [], cc = [], bcc = [], replyTo }: NonNullable<EmailBlock['options']>,
  context: CompileContext,
): MailPeople {
  const compileAll = (addresses: readonly string[], at: string) =>
    addresses.map((address, index) => context.text(address, `${at}/${index}`))
  return {
    to: compileAll(recipients, '/options/recipients'),
    cc: compileAll(cc, '/options/cc'),
    bcc: compileAll(bcc, '/options/bcc'),
    replyTo: replyTo === undefined ? [] : [context.text(replyTo, '/options/replyTo')],
  }
}

type RenderedPeople =
  | {
      readonly refusal?: undefined
      readonly people: Pick<Mail, 'to' | 'cc' | 'bcc' | 'replyTo'>
      readonly logs: readonly LogEntry[]
    }
  /** Reason why the mail can't be sent. */
  | { readonly refusal: string }

/** Renders the addresses of a mail (docs/behaviour/integrations.md, "Email"); what is no address is left out, with a log. */
export function renderMailPeople(templates: MailPeople, context: RunContext): RenderedPeople {
  const to = renderAddresses(templates.to, context)
  const cc = renderAddresses(templates.cc, context)
  const bcc = renderAddresses(templates.bcc, context)
  const replyTo = renderAddresses(templates.replyTo, context)
  const [answerTo] = replyTo.valid
  if (to.valid.length === 0) return { refusal: 'An email has no valid recipient and was not sent' }
  if (to.valid.length + cc.valid.length + bcc.valid.length > mostPeople) {
    return { refusal: `An email to more than ${mostPeople} people was not sent` }
  }
  return {
    people: { to: to.valid, cc: cc.valid, bcc: bcc.valid, ...(answerTo && { replyTo: answerTo }) },
    logs: [
      ...(to.hasInvalid || cc.hasInvalid || bcc.hasInvalid ? [leftOut('A recipient')] : []),
      ...(replyTo.hasInvalid ? [leftOut('The reply address')] : []),
    ],
  }
}

/** The address is left out: visitors see this log, and the address may be private. */
function leftOut(what: string): LogEntry {
  return visibleError({ description: `${what} of an email is not valid and was left out` })
}

interface Addresses {
  readonly valid: readonly string[]
  readonly hasInvalid: boolean
}

function renderAddresses(templates: readonly TextTemplate[], context: RunContext): Addresses {
  const texts = templates
    .flatMap((template) => textsOf(template, context))
    .filter((text) => text.trim() !== '')
  const mailboxes = texts.map(readMailbox).filter((mailbox) => mailbox !== undefined)
  const valid = [...new Set(mailboxes.map(writeMailbox))]
  return { valid, hasInvalid: mailboxes.length < texts.length }
}

/** A variable that stands alone may hold several, as a list or with commas; a value inside a text adds no recipient. */
function textsOf(template: TextTemplate, context: RunContext): readonly string[] {
  const { lone } = template
  if (!lone) return [context.text(template)]
  const value = lone.kind === 'variable' ? context.variables.read(lone.ref) : null
  const isList = value !== null && typeof value !== 'string'
  const texts = isList ? value.map((element) => element ?? '') : [renderPlaceholder(lone, context)]
  for (const text of texts) context.spend(text.length)
  return texts.flatMap((text) => (readMailbox(text) ? [text] : text.split(',')))
}
