import { TextBubbleBlock } from '../../../../../schemas/blocks/bubbles.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { type ChannelName, channelLimits, channelsOf } from '../../model/surroundings.ts'
import { defineRule, type Rule, type RuleContext } from '../../rule.ts'

const tooLongForChannel = defineRule({
  code: 'too-long-for-channel',
  severity: 'warning',
  title: 'More than a messenger shows',
  description:
    'The flow is meant for a messenger (`settings.whatsApp.isEnabled`, or `--channel`), and has a text, a label or a number of choices that the messenger refuses or cuts: a text of more than 4,096 characters; on WhatsApp more than ten choices, a label of more than 20 characters with up to three choices, and of more than 24 with more. Placeholders count as written. Shorten it, or ask in two steps.',
  checkBlock(placed, context) {
    for (const channel of channelsOf(context.model)) {
      if (isOf(placed.block, TextBubbleBlock)) checkText(placed, channel, context)
      else if (placed.kind === 'input') checkChoices(placed, channel, context)
    }
  },
})

/** Where the texts of a text bubble stand. */
const textKeys = new Set(['text', 'markdown', 'content'])

function checkText({ pointer, texts }: PlacedBlock, channel: ChannelName, { report }: RuleContext): void {
  const { text: most } = channelLimits[channel]
  const length = texts.reduce((sum, { key, text }) => sum + (textKeys.has(key) ? text.length : 0), 0)
  if (length > most)
    report({
      pointer,
      message: `A text on ${channel} has at most ${most} characters, and this has ${length}.`,
    })
}

function checkChoices(
  { pointer, waysOut }: PlacedBlock,
  channel: ChannelName,
  { report }: RuleContext,
): void {
  const { choices, label: longestOf } = channelLimits[channel]
  if (choices !== undefined && waysOut.length > choices)
    report({
      pointer,
      message: `${channel} shows at most ${choices} choices, and these are ${waysOut.length}.`,
    })
  const longest = longestOf?.(waysOut.length) ?? Number.POSITIVE_INFINITY
  for (const { label = '', pointer: at } of waysOut) {
    if (label.length > longest)
      report({
        pointer: at,
        message: `A label on ${channel} has at most ${longest} characters, and this has ${label.length}.`,
      })
  }
}

/** Characters of a text that are looked through. */
const longestSearched = 50_000

/** Keys of well-known services; none of these patterns matches a placeholder. */
const secrets: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a key of OpenAI or Anthropic', /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}/],
  ['a secret key of Stripe', /\b[sr]k_live_[A-Za-z0-9]{16,}/],
  ['an access key of AWS', /\bAKIA[A-Z0-9]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ['a signed token', /\bBearer\s+eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
]

const secretInFlow = defineRule({
  code: 'secret-in-flow',
  severity: 'error',
  title: 'A secret that is written into the flow',
  description:
    'The text looks like a key or a token of a service. Definitions are kept, exported, shared and logged, and the options of inputs and scripts leave the service: whoever reads the flow has the key. Revoke it, and lend the flow an account of the operator in its place (`credentialsId`), or let a service of your own make the call.',
  checkBlock({ pointer, texts }, { report }) {
    for (const { at, text } of texts) {
      if (text.length < 20) continue
      const found = secrets.find(([, pattern]) => pattern.test(text.slice(0, longestSearched)))
      if (found) report({ pointer: pointer + at, message: `This looks like ${found[0]}.` })
    }
  },
})

/** Rules about texts that are too long, or that nobody should read. */
export const textRules: readonly Rule[] = [tooLongForChannel, secretInFlow]
