import type { EmailBlock } from '../../../schemas/blocks/integrations/email.ts'
import { defineBlock } from '../../engine/block-handler.ts'
import { notAvailable, reportNotAvailable } from '../not-available.ts'

interface Mail {
  readonly isConfigured: boolean
  readonly hasRecipients: boolean
}

/** Mail is never sent from a preview (docs/behaviour.md, "Email"); this server can't send any yet. */
export const email = defineBlock<EmailBlock, Mail>({
  types: ['Email'],
  kind: 'integration',
  compile({ options }, context) {
    const hasRecipients = options?.recipients !== undefined
    if (hasRecipients) reportNotAvailable('Email', context)
    return { isConfigured: options !== undefined, hasRecipients }
  },
  run({ isConfigured, hasRecipients }, { isLive }) {
    if (!isConfigured) return {}
    if (!isLive) return { logs: [{ status: 'info', description: 'Emails are not sent in preview mode' }] }
    return hasRecipients ? notAvailable('Email') : {}
  },
  alwaysPasses: () => true,
})
