import type { Static } from '@sinclair/typebox'
import { channels } from './channel.ts'
import { Duration, languageTag, PartialObject, StringEnum } from './common.ts'
import { comparisonOperators } from './condition.ts'
import { Type } from './type.ts'

const flag = (description: string) => Type.Boolean({ description })
const text = (description: string) => Type.String({ description })

const RememberUser = PartialObject({
  isEnabled: flag(
    'Whether a returning visitor keeps the same result. Default: the opposite of isNewResultOnRefreshEnabled, else false',
  ),
  storage: StringEnum(['session', 'local'], {
    description: 'The browser storage in which the client remembers the visitor. Default session',
  }),
})

const SystemMessages = PartialObject(
  {
    invalidMessage: text('Shown when a reply is refused. Default "Invalid message. Please, try again."'),
    botClosed: text('Error message of a closed flow. Default "This bot is now closed"'),
    networkErrorTitle: text('Used by the client. Default "Network Error"'),
    networkErrorMessage: text('Used by the client: a hint to check the connection'),
    popupBlockedTitle: text('Used by the client. Default "Popup blocked"'),
    popupBlockedDescription: text('Used by the client: a hint that a new tab needs approval'),
    popupBlockedButtonLabel: text('Used by the client. Default "Continue in new tab"'),
    fileUploadError: text('Used by the client. Default "An error occured while uploading the files"'),
    fileUploadSizeError: text('Used by the client. Default "[[file]] is larger than [[limit]]MB"'),
    whatsAppPictureChoiceSelectLabel: text('Used on WhatsApp. Default "Select"'),
  },
  {
    description:
      'Texts of the service and of the client. An absent one has the default of the service or the client that shows it.',
  },
)

const GeneralSettings = PartialObject({
  isBrandingEnabled: flag('Whether the client shows its badge. Default false'),
  isTypingEmulationEnabled: flag('Has no effect; typingEmulation.enabled counts. Default true'),
  isInputPrefillEnabled: flag('Whether the client puts prefilledValue into the field. Default false'),
  isHideQueryParamsEnabled: flag(
    'Whether the client removes the query string from the address. Default true',
  ),
  isNewResultOnRefreshEnabled: flag(
    'The older opposite of rememberUser, read when rememberUser.isEnabled is absent. Default true',
  ),
  rememberUser: RememberUser,
  systemMessages: SystemMessages,
  language: Type.String({
    pattern: languageTag,
    description: 'The language that the flow is written in, as a tag (BCP 47)',
    examples: ['en', 'pt-BR'],
  }),
  words: Type.Record(Type.String(), Type.String(), {
    description: 'Words of the page of the service instead of its own (docs/pages.md)',
    examples: [{ send: 'Off it goes' }],
  }),
  aiDisclosure: flag(
    'Whether page and messengers say at the start that a machine answers, and messages with words of a model are marked (docs/behaviour/integrations.md, "Saying that a machine answers"). Default false',
  ),
  channels: Type.Array(StringEnum(channels), {
    description:
      'Messengers that the flow is meant for beside pages: it is checked for what they can’t show (docs/channels.md)',
    examples: [['whatsapp']],
  }),
  mcp: PartialObject(
    {
      description: text(
        'What the flow is good for, in words for the model that chooses it. Without it the flow is no tool',
      ),
      arguments: Type.Record(Type.String(), Type.String(), {
        description: 'Variables that the assistant may fill before the start, each with what belongs there',
        examples: [{ Email: 'The address of the customer, where it is known' }],
      }),
    },
    { description: 'Offers the flow to assistants as a tool (docs/mcp.md).' },
  ),
  sessionTtl: Duration({
    description:
      'How long a conversation goes on without its visitor, between 1 minute and 90 days; never longer than the time that the operator gives sessions, which is the default',
    examples: ['P7D'],
  }),
  retention: PartialObject(
    {
      results: Duration({ description: 'Of a result', examples: ['P90D'] }),
      unfinished: Duration({ description: 'Of a result that was never completed', examples: ['P7D'] }),
      personal: Duration({
        description:
          'Of values of variables that are marked as personal; as long as their results unless given',
        examples: ['P30D'],
      }),
      secret: Duration({
        description: 'Of values of variables that are marked as secret; in no result unless given',
        examples: ['PT1H'],
      }),
    },
    {
      description:
        'How long is kept what visitors leave, after its last change, at least a minute and never longer than the operator keeps results (docs/privacy.md). Absent: as long as that',
    },
  ),
  replyWindow: Duration({
    description:
      'How long texts of the visitor are joined, from the first on, into one answer to a text input; at most 30 seconds. Not at all unless given',
    examples: ['PT2S'],
  }),
})

const TypingEmulation = PartialObject(
  {
    enabled: flag('Default true'),
    speed: Type.Number({ description: 'Words per minute. Default 400' }),
    maxDelay: Type.Number({ description: 'The longest delay before one bubble, in seconds. Default 3' }),
    delayBetweenBubbles: Type.Number({
      minimum: 0,
      maximum: 5,
      description: 'The pause before each following bubble, in seconds; decimals allowed. Default 0',
    }),
    isDisabledOnFirstMessage: flag('Whether the very first bubble shows at once. Default true'),
  },
  { description: 'How the client imitates typing. The service itself never waits for it.' },
)

const Metadata = PartialObject(
  {
    title: text("Default: the flow's name"),
    description: Type.String(),
    imageUrl: Type.String(),
    favIconUrl: Type.String(),
    customHeadCode: text(
      'Markup that the client adds to the head of the page; placeholders are not replaced',
    ),
    googleTagManagerId: text('Placeholders are not replaced'),
    allowIndexing: flag('Whether search engines may list the page. Default false'),
  },
  { description: 'For the page on which a client shows the flow.' },
)

const StartComparison = Type.Object({
  id: Type.String(),
  comparisonOperator: Type.Optional(
    StringEnum(comparisonOperators, { description: 'How the text of the first message is compared' }),
  ),
  value: Type.Optional(Type.String()),
})

const WhatsAppSettings = PartialObject({
  isEnabled: flag('Whether an incoming WhatsApp message may start the flow. Default false'),
  startCondition: PartialObject({
    logicalOperator: StringEnum(['AND', 'OR'], { description: 'Default AND' }),
    comparisons: Type.Array(StartComparison, { description: 'Tested against the text of the first message' }),
  }),
  sessionExpiryTimeout: Type.Number({
    minimum: 0.01,
    maximum: 48,
    description: 'Hours since the last message after which a session ends; decimals allowed. Default 4',
  }),
  isWebhookForwardingEnabled: flag('Default: true when an address to forward to is given'),
  errorAndMarketingStatusWebhookForwardUrl: Type.String(),
  webhookForwardingEventTypes: Type.Array(StringEnum(['all', 'errorStatuses', 'marketingStatuses'])),
})

/** Settings of a flow (docs/api.md 2.6). Every field is optional; unknown ones pass and are returned. */
export const Settings = PartialObject(
  {
    general: GeneralSettings,
    typingEmulation: TypingEmulation,
    metadata: Metadata,
    whatsApp: WhatsAppSettings,
    publicShare: PartialObject({
      isEnabled: flag('Whether the definition may be read by anyone in the editor. Default false'),
    }),
    header: PartialObject(
      {
        isEnabled: flag('Default true'),
        name: text("Default: metadata.title, else the flow's name"),
        isRestartShown: flag('Whether a button starts the conversation again. Default false'),
        isCloseShown: flag(
          'Whether a button closes the conversation, where it is shown in something that can be closed. Default true',
        ),
      },
      { description: 'The line above the conversation: avatar, name and state.' },
    ),
    security: PartialObject({
      allowedOrigins: Type.Array(Type.String(), {
        description:
          'Origins that may start and continue the published flow, compared exactly; a slash at the end, capitals and a usual port do not count. Absent or empty: all',
        examples: [['https://shop.example']],
      }),
    }),
  },
  {
    $id: 'Settings',
    description: 'How a flow behaves. Every field is optional and no default is filled in.',
  },
)
export type Settings = Static<typeof Settings>
