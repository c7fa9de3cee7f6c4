import type { RedirectBlock, WaitBlock, WebhookListenerBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { visibleError } from '../../engine/model/log-entry.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { parseJson } from '../json-texts.ts'
import { compileResponseMapping, isMappable, mapResponse, type ResponseMapping } from '../response-mapping.ts'

interface Redirect {
  readonly url: TextTemplate
  readonly isNewTab: boolean | undefined
}

/** Sends the visitor to an address while the walk goes on (docs/behaviour/logic.md, "Redirect"). */
export const redirect = defineBlock<RedirectBlock, Redirect | undefined>({
  types: ['Redirect'],
  kind: 'logic',
  compile: ({ options }, context) =>
    options?.url ? { url: context.text(options.url, '/options/url'), isNewTab: options.isNewTab } : undefined,
  run(compiled, context) {
    if (!compiled) return {}
    const address = context.text(compiled.url).trim()
    if (address === '') {
      return {
        logs: [visibleError({ context: 'Redirect', description: 'The address to redirect to is empty' })],
      }
    }
    const { isNewTab } = compiled
    const target = { url: withScheme(address), ...(isNewTab !== undefined && { isNewTab }) }
    return { actions: [{ type: 'redirect', redirect: target }] }
  },
  isPassThrough: () => true,
  marks: { changesNothing: true, isClientOnly: () => true },
})

/**
 * Prefixes rather than schemes: an address that starts like one of these is left to the client, every other one is
 * safe.
 */
const knownStart = /^(http|mailto:|tel:|sms:|\{\{.*\}\})/is

function withScheme(address: string): string {
  return knownStart.test(address) ? address : `https://${address}`
}

interface Wait {
  readonly seconds: TextTemplate
  readonly shouldPause: boolean | undefined
}

/** Delays what follows on the client, and waits for it when the block pauses (docs/behaviour/logic.md, "Wait"). */
export const wait = defineBlock<WaitBlock, Wait | undefined>({
  types: ['Wait'],
  kind: 'logic',
  compile({ options }, context) {
    const seconds = String(options?.secondsToWaitFor ?? '')
    if (seconds === '') return undefined
    return {
      seconds: context.text(seconds, '/options/secondsToWaitFor'),
      shouldPause: options?.shouldPause,
    }
  },
  run(compiled, context) {
    if (!compiled) return {}
    const { shouldPause } = compiled
    const secondsToWaitFor = readSeconds(context.text(compiled.seconds))
    if (secondsToWaitFor === undefined || (secondsToWaitFor === 0 && shouldPause !== true)) return {}
    const reply = shouldPause === undefined ? {} : { expectsDedicatedReply: shouldPause }
    return {
      actions: [{ type: 'wait', wait: { secondsToWaitFor }, ...reply }],
      ...(shouldPause && { next: { to: 'wait' } }),
    }
  },
  isPassThrough: ({ options }) => options?.shouldPause !== true,
})

/** The number that a text starts with, its first comma taken for a decimal point. */
function readSeconds(text: string): number | undefined {
  const seconds = Number.parseFloat(text.replace(',', '.'))
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Has the client listen for a call from outside, and waits for it (docs/behaviour/logic.md, "Webhook listener"). */
export const webhookListener = defineBlock<WebhookListenerBlock, ResponseMapping>({
  types: ['webhook'],
  kind: 'logic',
  compile: ({ options }, context) => compileResponseMapping(options?.responseVariableMapping, context),
  run: () => ({
    actions: [{ type: 'listenForWebhook', expectsDedicatedReply: true }],
    next: { to: 'wait' },
  }),
  *handleClientReply(mapping, text, context) {
    context.spend(text.length)
    const sent = parseJson(text) ?? { value: { statusCode: 200, data: text } }
    return isMappable(sent.value) ? yield* mapResponse(mapping, sent.value, context) : {}
  },
  marks: { mapping: { option: 'responseVariableMapping', counts: 'first' } },
})
