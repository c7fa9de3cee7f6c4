import { RedirectBlock, WaitBlock, WebhookListenerBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import { visibleError } from '../../engine/model/log-entry.ts'
import type { Step } from '../../engine/model/step.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { formatInZone } from '../../engine/values/zoned-time.ts'
import { parseJson } from '../json-texts.ts'
import { compileResponseMapping, isMappable, mapResponse, type ResponseMapping } from '../response-mapping.ts'
import { momentToWaitFor } from './wait-until.ts'

interface Redirect {
  readonly url: TextTemplate
  readonly isNewTab: boolean | undefined
}

/** Sends the visitor to an address while the walk goes on (docs/behaviour/logic.md, "Redirect"). */
export const redirect = defineBlock<RedirectBlock, Redirect | undefined>({
  schema: RedirectBlock,
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
  /** Undefined where the seconds count. */
  readonly until: TextTemplate | undefined
  readonly onWeekdays: boolean
  readonly timeZone: TextTemplate
  readonly keepsReplies: boolean
}

/** Seconds that a client is asked to wait; beyond, the service does. */
const mostClientSeconds = 60

/** The longest wait of the service. */
const mostSleepMs = 366 * 24 * 60 * 60 * 1000

/** Delays what follows, on the client or in the service (docs/behaviour/logic.md, "Wait"). */
export const wait = defineBlock<WaitBlock, Wait | undefined>({
  schema: WaitBlock,
  kind: 'logic',
  compile({ options = {} }, context) {
    const { until = '', onWeekdays = false, timeZone = '', whenAnswered } = options
    const seconds = String(options.secondsToWaitFor ?? '')
    if (seconds === '' && until === '') return undefined
    return {
      seconds: context.text(seconds, '/options/secondsToWaitFor'),
      shouldPause: options.shouldPause,
      until: until === '' ? undefined : context.text(until, '/options/until'),
      onWeekdays,
      timeZone: context.text(timeZone, '/options/timeZone'),
      keepsReplies: whenAnswered === 'keep',
    }
  },
  run(compiled, context) {
    if (!compiled) return {}
    if (compiled.until) return sleepUntil(context.text(compiled.until).trim(), compiled, context)
    const { shouldPause } = compiled
    const secondsToWaitFor = readSeconds(context.text(compiled.seconds))
    if (secondsToWaitFor === undefined || (secondsToWaitFor === 0 && shouldPause !== true)) return {}
    if (secondsToWaitFor > mostClientSeconds) return sleepFor(secondsToWaitFor * 1000, compiled)
    const reply = shouldPause === undefined ? {} : { expectsDedicatedReply: shouldPause }
    return {
      actions: [{ type: 'wait', wait: { secondsToWaitFor }, ...reply }],
      ...(shouldPause && { next: { to: 'wait' } }),
    }
  },
  isPassThrough: ({ options = {} }) =>
    options.shouldPause !== true &&
    !options.until &&
    (readSeconds(String(options.secondsToWaitFor ?? '')) ?? 0) <= mostClientSeconds,
})

function* sleepFor(ms: number, { keepsReplies }: Wait): Effects<Step> {
  const until = (yield* ask({ type: 'now' })) + Math.min(ms, mostSleepMs)
  return { next: { to: 'sleep', until, keepsReplies } }
}

function* sleepUntil(text: string, compiled: Wait, context: RunContext): Effects<Step> {
  const now = yield* ask({ type: 'now' })
  const named = context.text(compiled.timeZone).trim() || context.contact?.timeZone || 'Z'
  const isKnown = formatInZone(now, named) !== undefined
  const { onWeekdays, keepsReplies } = compiled
  const moment = momentToWaitFor(text, { now, zone: isKnown ? named : 'Z', onWeekdays })
  const problems = [
    !isKnown && `Time zone "${named}" is unknown: UTC is used instead`,
    moment === undefined && `"${text}" is neither a moment nor a time of day: nothing is waited for`,
  ]
  const logs = problems.filter((problem) => problem !== false)
  return {
    logs: logs.map((description) => visibleError({ context: 'Wait', description })),
    ...(moment !== undefined &&
      moment > now && {
        next: { to: 'sleep', until: Math.min(moment, now + mostSleepMs), keepsReplies },
      }),
  }
}

/** The number that a text starts with, its first comma taken for a decimal point. */
function readSeconds(text: string): number | undefined {
  const seconds = Number.parseFloat(text.replace(',', '.'))
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Has the client listen for a call from outside, and waits for it (docs/behaviour/logic.md, "Webhook listener"). */
export const webhookListener = defineBlock<WebhookListenerBlock, ResponseMapping>({
  schema: WebhookListenerBlock,
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
