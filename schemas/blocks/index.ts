import type { Static, TSchema } from '@sinclair/typebox'
import { blockBase } from '../common.ts'
import { taggedUnion, tagsOf } from '../tagged-union.ts'
import { Type } from '../type.ts'
import * as bubbles from './bubbles.ts'
import * as choices from './inputs/choices.ts'
import * as files from './inputs/files-and-payments.ts'
import * as numbers from './inputs/numbers-and-dates.ts'
import * as texts from './inputs/texts.ts'
import * as integrations from './integrations.ts'
import * as logic from './logic.ts'
import * as models from './models.ts'
import * as vendors from './vendors.ts'

/** The schema of every block type that the service knows. */
export const blockSchemas = [
  bubbles.TextBubbleBlock,
  bubbles.ImageBubbleBlock,
  bubbles.VideoBubbleBlock,
  bubbles.EmbedBubbleBlock,
  bubbles.AudioBubbleBlock,

  texts.TextInputBlock,
  numbers.NumberInputBlock,
  texts.EmailInputBlock,
  texts.UrlInputBlock,
  texts.PhoneNumberInputBlock,
  numbers.DateInputBlock,
  numbers.TimeInputBlock,
  numbers.RatingInputBlock,
  files.FileInputBlock,
  files.PaymentInputBlock,
  choices.ChoiceInputBlock,
  choices.PictureChoiceInputBlock,
  choices.CardsInputBlock,

  logic.StartBlock,
  logic.SetVariableBlock,
  logic.ScriptBlock,
  logic.ConditionBlock,
  logic.RedirectBlock,
  logic.WaitBlock,
  logic.HandoffBlock,
  logic.JumpBlock,
  logic.ReturnBlock,
  logic.AbTestBlock,
  logic.FlowLinkBlock,
  logic.WebhookListenerBlock,

  integrations.HttpRequestBlock,
  integrations.EmailBlock,
  integrations.GoogleAnalyticsBlock,
  integrations.PixelBlock,
  integrations.ChatwootBlock,
  models.LegacyOpenAiBlock,
  models.ChatCompletionBlock,
  vendors.ElevenlabsBlock,
  vendors.GmailBlock,

  vendors.BlinkBlock,
  vendors.CalComBlock,
  vendors.ChatNodeBlock,
  vendors.DifyAiBlock,
  vendors.GoogleSheetsBlock,
  vendors.NocodbBlock,
  vendors.PosthogBlock,
  vendors.QrCodeBlock,
  vendors.SegmentBlock,
  vendors.ZendeskBlock,
] as const

/** Inputs as they are shown. */
export const shownInputs = [
  texts.TextInput,
  numbers.NumberInput,
  texts.EmailInput,
  texts.UrlInput,
  texts.PhoneNumberInput,
  numbers.DateInput,
  numbers.TimeInput,
  numbers.RatingInput,
  choices.ChoiceInput,
  choices.PictureChoiceInput,
  choices.CardsInput,
  files.FileInput,
  files.PaymentInput,
] as const

/** Any block where there are types beside the built-in ones, of these schemas. */
export function blockUnion(own: readonly TSchema[]) {
  const known = [...blockSchemas, ...own]
  return Type.Unsafe<Static<(typeof blockSchemas)[number]>>({
    $id: 'Block',
    anyOf: [taggedUnion(known, { $id: 'KnownBlock' }), unknownBlock(known)],
  })
}

/** A block of a type that the service does not know: it is skipped, and a log says so. */
const unknownBlock = (known: readonly TSchema[]) =>
  Type.Object(
    { ...blockBase, type: Type.String({ not: { enum: known.flatMap(tagsOf) } }) },
    { description: 'A block of an unknown type, which is skipped' },
  )

/**
 * Any block of a definition. Meant for readers of the OpenAPI document; definitions are checked with the one schema
 * of each block's type, which is faster and says better what is wrong.
 */
export const Block = blockUnion([])
export type Block = Static<typeof Block>
