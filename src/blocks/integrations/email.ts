import { EmailBlock } from '../../../schemas/blocks/integrations.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { MailOutcome } from '../../engine/model/effect-payloads.ts'
import { ask } from '../../engine/model/effects.ts'
import { type LogEntry, visibleError } from '../../engine/model/log-entry.ts'
import type { Step } from '../../engine/model/step.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { compileMailBody, type MailBody, renderMailBody } from './email/mail-body.ts'
import { compileMailPeople, type MailPeople, renderMailPeople } from './email/mail-people.ts'

interface Email {
  readonly credentialsId: string
  readonly people: MailPeople
  readonly subject: TextTemplate
  readonly body: MailBody
  readonly attachmentsVariableId: string | undefined
}

/** Sends a mail, in live sessions only (docs/behaviour/integrations.md, "Email"). */
export const email = defineBlock<EmailBlock, Email | undefined>({
  schema: EmailBlock,
  kind: 'integration',
  compile: ({ options }, context) => options && compile(options, context),
  *run(block, context) {
    if (!block) return {}
    if (!context.isLive && !context.isMocked)
      return logging({
        audience: 'visitors',
        status: 'info',
        description: 'Emails are not sent in preview mode',
      })
    if (block.people.to.length === 0) return {}
    if (block.credentialsId === '') {
      return failed('No credentials found, make sure to configure your SMTP provider properly')
    }
    const rendered = renderMailPeople(block.people, context)
    if (rendered.refusal !== undefined) return failed(rendered.refusal)
    const subject = context.text(block.subject)
    const mail = {
      credentialsId: block.credentialsId,
      ...rendered.people,
      ...(subject !== '' && { subject }),
      ...(yield* renderMailBody(block.body, context)),
      attachments: attachmentsOf(block, context),
    }
    const outcome = yield* ask({ type: 'mail', mail })
    return logging(...rendered.logs, logOf(outcome))
  },
  isPassThrough: () => true,
  marks: { calls: true, mails: true, account: () => 'smtp', changesNothing: true },
})

function compile(options: NonNullable<EmailBlock['options']>, context: CompileContext): Email {
  return {
    credentialsId: options.credentialsId ?? '',
    people: compileMailPeople(options, context),
    subject: context.text(options.subject ?? '', '/options/subject'),
    body: compileMailBody(options, context),
    attachmentsVariableId: options.attachmentsVariableId,
  }
}

function attachmentsOf({ attachmentsVariableId: id }: Email, { variables }: RunContext): readonly string[] {
  const value = id === undefined ? null : variables.get(id)
  const addresses = typeof value === 'string' ? value.split(', ') : (value ?? [])
  return addresses.flatMap((address) => address || [])
}

function logOf(outcome: MailOutcome): LogEntry {
  if (outcome.kind === 'refused') return visibleError({ description: outcome.message })
  const details = JSON.stringify(outcome.details)
  return outcome.kind === 'sent'
    ? { status: 'success', description: 'Email successfully sent', details }
    : { status: 'error', description: 'Email not sent', details }
}

function failed(description: string): Step {
  return logging(visibleError({ description }))
}

function logging(...logs: readonly LogEntry[]): Step {
  return { logs }
}
