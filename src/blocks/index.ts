import type { BlockHandler, BlockRegistry } from '../engine/model/block-handler.ts'
import { audioBubble } from './bubbles/audio-bubble.ts'
import { embedBubble } from './bubbles/embed-bubble.ts'
import { imageBubble } from './bubbles/image-bubble.ts'
import { textBubble } from './bubbles/text-bubble.ts'
import { videoBubble } from './bubbles/video-bubble.ts'
import { cardsInput } from './inputs/cards-input.ts'
import { choiceInput } from './inputs/choice-input.ts'
import { dateInput } from './inputs/date-input.ts'
import { emailInput } from './inputs/email-input.ts'
import { fileInput } from './inputs/file-input.ts'
import { numberInput } from './inputs/number-input.ts'
import { paymentInput } from './inputs/payment-input.ts'
import { phoneNumberInput } from './inputs/phone-number-input.ts'
import { pictureChoiceInput } from './inputs/picture-choice-input.ts'
import { ratingInput } from './inputs/rating-input.ts'
import { textInput } from './inputs/text-input.ts'
import { timeInput } from './inputs/time-input.ts'
import { urlInput } from './inputs/url-input.ts'
import { chatCompletion } from './integrations/chat-completion.ts'
import { chatwoot } from './integrations/chatwoot.ts'
import { email } from './integrations/email.ts'
import { googleAnalytics } from './integrations/google-analytics.ts'
import { httpRequest } from './integrations/http-request.ts'
import { legacyOpenAi } from './integrations/legacy-open-ai.ts'
import { pixel } from './integrations/pixel.ts'
import { abTest } from './logic/ab-test.ts'
import { condition } from './logic/condition.ts'
import { flowLink } from './logic/flow-link.ts'
import { jump } from './logic/jump.ts'
import { redirect } from './logic/redirect.ts'
import { returnBlock } from './logic/return.ts'
import { script } from './logic/script.ts'
import { setVariable } from './logic/set-variable.ts'
import { startBlock } from './logic/start.ts'
import { wait } from './logic/wait.ts'
import { webhookListener } from './logic/webhook-listener.ts'
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
