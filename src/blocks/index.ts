import type { BlockHandler, BlockRegistry } from '../engine/model/block-handler.ts'
import { audioBubble, embedBubble, imageBubble, videoBubble } from './bubbles/media-bubbles.ts'
import { textBubble } from './bubbles/text-bubble.ts'
import { emailInput, phoneNumberInput, urlInput } from './inputs/address-inputs.ts'
import { cardsInput } from './inputs/cards-input.ts'
import { choiceInput } from './inputs/choice-input.ts'
import { dateInput, timeInput } from './inputs/date-inputs.ts'
import { fileInput } from './inputs/file-input.ts'
import { numberInput, ratingInput } from './inputs/number-inputs.ts'
import { paymentInput } from './inputs/payment-input.ts'
import { pictureChoiceInput } from './inputs/picture-choice-input.ts'
import { textInput } from './inputs/text-input.ts'
import { chatCompletion, legacyOpenAi } from './integrations/chat-completion.ts'
import { chatwoot } from './integrations/chatwoot.ts'
import { email } from './integrations/email.ts'
import { googleAnalytics } from './integrations/google-analytics.ts'
import { httpRequest } from './integrations/http-request.ts'
import { pixel } from './integrations/pixel.ts'
import { abTest, condition } from './logic/branches.ts'
import { redirect, wait, webhookListener } from './logic/client-steps.ts'
import { handoff } from './logic/handoff.ts'
import { flowLink, jump, returnBlock, startBlock } from './logic/jumps.ts'
import { script } from './logic/script.ts'
import { setVariable } from './logic/set-variable.ts'
import { blink } from './vendors/blink.ts'
import { calCom } from './vendors/cal-com.ts'
import { chatNode } from './vendors/chat-node.ts'
import { difyAi } from './vendors/dify-ai.ts'
import { elevenlabs } from './vendors/elevenlabs.ts'
import { gmail } from './vendors/gmail.ts'
import { googleSheets } from './vendors/google-sheets.ts'
import { nocodb } from './vendors/nocodb.ts'
import { posthog } from './vendors/posthog.ts'
import { qrCode } from './vendors/qr-code.ts'
import { segment } from './vendors/segment.ts'
import { zendesk } from './vendors/zendesk.ts'

/** Every block type of this service: the one place that knows them all. */
export const blockHandlers: readonly BlockHandler[] = Object.freeze([
  textBubble,
  imageBubble,
  videoBubble,
  embedBubble,
  audioBubble,

  textInput,
  numberInput,
  emailInput,
  urlInput,
  phoneNumberInput,
  dateInput,
  timeInput,
  ratingInput,
  choiceInput,
  pictureChoiceInput,
  cardsInput,
  fileInput,
  paymentInput,

  startBlock,
  setVariable,
  condition,
  redirect,
  script,
  wait,
  handoff,
  jump,
  returnBlock,
  abTest,
  flowLink,
  webhookListener,

  httpRequest,
  email,
  googleAnalytics,
  pixel,
  chatwoot,
  legacyOpenAi,
  chatCompletion,
  elevenlabs,
  gmail,

  blink,
  calCom,
  chatNode,
  difyAi,
  googleSheets,
  nocodb,
  posthog,
  qrCode,
  segment,
  zendesk,
])

/** The handlers by the type names they serve; case counts, `Webhook` calls out and `webhook` listens. */
export const blockRegistry: BlockRegistry = new Map(
  blockHandlers.flatMap((handler) => handler.types.map((type) => [type, handler] as const)),
)
