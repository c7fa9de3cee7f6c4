import {
  AudioBubbleBlock,
  EmbedBubbleBlock,
  ImageBubbleBlock,
  TextBubbleBlock,
  VideoBubbleBlock,
} from '../../../../../schemas/blocks/bubbles.ts'
import type { Block } from '../../../../../schemas/blocks/index.ts'
import { PaymentInputBlock } from '../../../../../schemas/blocks/inputs/files-and-payments.ts'
import type { ChannelName } from '../../../../../schemas/channel.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import { type MediaFamily, mediaKindOf } from '../../../../channels/capabilities.ts'
import { messengers } from '../../../../channels/messenger-table.ts'
import { isWebLink } from '../../../../channels/web-link.ts'
import type { BlockText } from '../../model/block-texts.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { channelsOf } from '../../model/surroundings.ts'
import { defineRule, type Rule, type RuleContext } from '../../rule.ts'

const meantFor =
  'The flow is meant for a messenger (`settings.general.channels`, `settings.whatsApp.isEnabled`, or `--channel`)'

const tooLongForChannel = defineRule({
  code: 'too-long-for-channel',
  severity: 'warning',
  title: 'More than a messenger shows',
  description: `${meantFor}, and has a text, a label or a number of choices that changes its form there: a text of more than 4,096 characters becomes several messages; on WhatsApp more than ten choices become numbers in a text, as do labels of more than 72 characters (on Telegram of more than 64), labels of more than 24 are cut in the title of a row, and with one of more than 20 a few choices are a list in place of buttons (an \`info\`). Placeholders count as written. Shorten it, or ask in two steps. \`/try\` and [channels.md](channels.md) show what becomes of it.`,
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
  const { text: most } = messengers[channel].capabilities
  const length = texts.reduce((sum, { key, text }) => sum + (textKeys.has(key) ? text.length : 0), 0)
  if (length > most)
    report({
      pointer,
      message: `A message on ${channel} has at most ${most} characters, and this text has ${length}: it is cut into several.`,
    })
}

function checkChoices(
  { block, pointer, waysOut }: PlacedBlock,
  channel: ChannelName,
  { report }: RuleContext,
) {
  const { buttons, list } = messengers[channel].capabilities
  const { isMultipleChoice } = (block as { options?: { isMultipleChoice?: boolean } }).options ?? {}
  const most = list?.rows ?? buttons.count
  // Those of which several may be chosen are numbers in any case.
  if (isMultipleChoice === true) return
  if (waysOut.length > most) {
    const message = `${channel} shows at most ${most} choices, and these are ${waysOut.length}: they become numbers in a text.`
    report({ pointer, message })
  }
  const fewest = { length: buttons.label, effect: 'the choices become a list', severity: 'info' } as const
  const steps = list
    ? [
        { length: list.description, effect: 'the choices become numbers in a text' },
        { length: list.title, effect: 'it is cut in the list, and whole below its title' },
        ...(waysOut.length <= buttons.count ? [fewest] : []),
      ]
    : [{ length: buttons.label, effect: 'the choices become numbers in a text' }]
  for (const { label = '', pointer: at } of waysOut) {
    const step = steps.find(({ length }) => label.length > length)
    if (!step) continue
    const message = `A label on ${channel} has at most ${step.length} characters, and this has ${label.length}: ${step.effect}.`
    report({ pointer: at, message, ...('severity' in step && { severity: step.severity }) })
  }
}

const notOnChannel = defineRule({
  code: 'not-on-channel',
  severity: 'info',
  title: 'Something that a messenger does not show',
  description: `${meantFor}, and has a block that the messenger shows in another way: a payment, or a page in a frame that the flow waits for, becomes a link to the page of the flow; a picture, video or sound of a type that the messenger does not take becomes a link to it (GIF, SVG and WebP on WhatsApp), and one without an address of the web, such as \`data:\`, is left out (a \`warning\`). Addresses with placeholders are not checked.`,
  checkBlock(placed, context) {
    for (const channel of channelsOf(context.model)) {
      checkPage(placed, channel, context)
      for (const text of placed.texts) checkMedium(placed, text, { channel, context })
    }
  },
})

function checkPage({ block, pointer }: PlacedBlock, channel: ChannelName, { report }: RuleContext): void {
  const isPage =
    isOf(block, PaymentInputBlock) ||
    (isOf(block, EmbedBubbleBlock) && block.content?.waitForEvent?.isEnabled === true)
  if (isPage) report({ pointer, message: `On ${channel} this is a link to the page of the flow.` })
}

function checkMedium(
  { block, pointer }: PlacedBlock,
  { at, key, text }: BlockText,
  { channel, context }: { readonly channel: ChannelName; readonly context: RuleContext },
): void {
  const family = familyOf(block, at, key)
  if (family === undefined || text === '' || text.includes('{{')) return
  if (isWebLink(text) && mediaKindOf(messengers[channel].capabilities, family, text) !== undefined) return
  const effect = isWebLink(text)
    ? 'it takes none of this type, and shows a link'
    : 'it has no address of the web, and is left out'
  context.report({
    pointer: pointer + at,
    message: `On ${channel} this ${family} is not shown: ${effect}.`,
    ...(!isWebLink(text) && { severity: 'warning' }),
  })
}

function familyOf(block: Block, at: string, key: string): MediaFamily | undefined {
  if (key === 'pictureSrc' || key === 'imageUrl') return ImageBubbleBlock.properties.type.const
  if (at !== '/content/url') return undefined
  if (isOf(block, ImageBubbleBlock) || isOf(block, AudioBubbleBlock)) return block.type
  // The pages of providers are links in any case.
  return isOf(block, VideoBubbleBlock) && (block.content?.type ?? 'url') === 'url' ? block.type : undefined
}

/** Rules about flows that are meant for messengers. */
export const messengerRules: readonly Rule[] = [tooLongForChannel, notOnChannel]
