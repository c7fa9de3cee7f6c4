import type { Static } from '@sinclair/typebox'
import { blockBase } from '../common.ts'
import { taggedUnion, tagsOf } from '../tagged-union.ts'
import { Type } from '../type.ts'
import { AudioBubbleBlock } from './bubbles/audio-bubble.ts'
import { EmbedBubbleBlock } from './bubbles/embed-bubble.ts'
import { ImageBubbleBlock } from './bubbles/image-bubble.ts'
import { TextBubbleBlock } from './bubbles/text-bubble.ts'
import { VideoBubbleBlock } from './bubbles/video-bubble.ts'
import { CardsInputBlock } from './inputs/cards-input.ts'
import { ChoiceInputBlock } from './inputs/choice-input.ts'
import { DateInputBlock } from './inputs/date-input.ts'
import { EmailInputBlock } from './inputs/email-input.ts'
import { FileInputBlock } from './inputs/file-input.ts'
import { NumberInputBlock } from './inputs/number-input.ts'
import { PaymentInputBlock } from './inputs/payment-input.ts'
import { PhoneNumberInputBlock } from './inputs/phone-number-input.ts'
import { PictureChoiceInputBlock } from './inputs/picture-choice-input.ts'
import { RatingInputBlock } from './inputs/rating-input.ts'
import { TextInputBlock } from './inputs/text-input.ts'
import { TimeInputBlock } from './inputs/time-input.ts'
import { UrlInputBlock } from './inputs/url-input.ts'
import { ChatCompletionBlock } from './integrations/chat-completion.ts'
import { ChatwootBlock } from './integrations/chatwoot.ts'
import { EmailBlock } from './integrations/email.ts'
import { GoogleAnalyticsBlock } from './integrations/google-analytics.ts'
import { HttpRequestBlock } from './integrations/http-request.ts'
import { LegacyOpenAiBlock } from './integrations/legacy-open-ai.ts'
import { PixelBlock } from './integrations/pixel.ts'
import { AbTestBlock } from './logic/ab-test.ts'
import { ConditionBlock } from './logic/condition.ts'
import { FlowLinkBlock } from './logic/flow-link.ts'
import { JumpBlock } from './logic/jump.ts'
import { RedirectBlock } from './logic/redirect.ts'
import { ReturnBlock } from './logic/return.ts'
import { ScriptBlock } from './logic/script.ts'
import { SetVariableBlock } from './logic/set-variable.ts'
import { StartBlock } from './logic/start.ts'
import { WaitBlock } from './logic/wait.ts'
import { WebhookListenerBlock } from './logic/webhook-listener.ts'
import { BlinkBlock } from './vendors/blink.ts'
import { CalComBlock } from './vendors/cal-com.ts'
import { ChatNodeBlock } from './vendors/chat-node.ts'
import { DifyAiBlock } from './vendors/dify-ai.ts'
import { ElevenlabsBlock } from './vendors/elevenlabs.ts'
import { GmailBlock } from './vendors/gmail.ts'
import { GoogleSheetsBlock } from './vendors/google-sheets.ts'
import { NocodbBlock } from './vendors/nocodb.ts'
import { PosthogBlock } from './vendors/posthog.ts'
import { QrCodeBlock } from './vendors/qr-code.ts'
import { SegmentBlock } from './vendors/segment.ts'
import { ZendeskBlock } from './vendors/zendesk.ts'

/** The schema of every block type that the service knows. */
export const blockSchemas = [
  TextBubbleBlock,
  ImageBubbleBlock,
  VideoBubbleBlock,
  EmbedBubbleBlock,
  AudioBubbleBlock,

  TextInputBlock,
  NumberInputBlock,
  EmailInputBlock,
  UrlInputBlock,
  PhoneNumberInputBlock,
  DateInputBlock,
  TimeInputBlock,
  RatingInputBlock,
  FileInputBlock,
  PaymentInputBlock,
  ChoiceInputBlock,
  PictureChoiceInputBlock,
  CardsInputBlock,

  StartBlock,
  SetVariableBlock,
  ScriptBlock,
  ConditionBlock,
  RedirectBlock,
  WaitBlock,
  JumpBlock,
  ReturnBlock,
  AbTestBlock,
  FlowLinkBlock,
  WebhookListenerBlock,

  HttpRequestBlock,
  EmailBlock,
  GoogleAnalyticsBlock,
  PixelBlock,
  ChatwootBlock,
  LegacyOpenAiBlock,
  ChatCompletionBlock,
  ElevenlabsBlock,
  GmailBlock,

  BlinkBlock,
  CalComBlock,
  ChatNodeBlock,
  DifyAiBlock,
  GoogleSheetsBlock,
  NocodbBlock,
  PosthogBlock,
  QrCodeBlock,
  SegmentBlock,
  ZendeskBlock,
] as const

/** A block of a type that the service does not know: it is skipped, and a log says so. */
const UnknownBlock = Type.Object(
  { ...blockBase, type: Type.String({ not: { enum: blockSchemas.flatMap(tagsOf) } }) },
  { description: 'A block of an unknown type, which is skipped' },
)

/**
 * Any block of a definition. Meant for readers of the OpenAPI document; definitions are checked with the one schema
 * of each block's type, which is faster and says better what is wrong.
 */
export const Block = Type.Unsafe<Static<(typeof blockSchemas)[number]>>({
  $id: 'Block',
  anyOf: [taggedUnion(blockSchemas, { $id: 'KnownBlock' }), UnknownBlock],
})
export type Block = Static<typeof Block>
