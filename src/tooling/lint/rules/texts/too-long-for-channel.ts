import { TextBubbleBlock } from '../../../../../schemas/blocks/bubbles/text-bubble.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { type ChannelName, channelLimits, channelsOf } from '../../model/surroundings/channels.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

/** Texts that a messenger cuts or refuses. */
export const tooLongForChannel = defineRule({
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

function checkText({ pointer, texts }: PlacedBlock, channel: ChannelName, { report }: RuleContext): void {
  const { text: most } = channelLimits[channel]
  const length = texts.reduce((sum, { key, text }) => sum + (key === 'text' ? text.length : 0), 0)
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
