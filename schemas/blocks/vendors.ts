import type { Static } from '@sinclair/typebox'
import { blockOf, Id, NumberOrVariable, optional, PartialObject, StringEnum } from '../common.ts'
import { Type } from '../type.ts'

/** The account and the action, for blocks of vendors that have both. */
const vendorOptions = (...actions: readonly string[]) =>
  optional({
    credentialsId: Type.String({
      description:
        'An account that the operator configured. Default: the one of this type, where there is one',
    }),
    action: Type.String({ description: 'Selects which further options count', examples: [...actions] }),
  })

/** Names with values, such as the properties of an event. */
const KeyValueRows = Type.Array(PartialObject({ id: Id, key: Type.String(), value: Type.String() }))

/** Which parts of an answer go into which variables. */
const ResponseItems = (description: string) =>
  Type.Array(PartialObject({ id: Id, item: Type.String({ description }), variableId: Id }))

const BlinkButton = PartialObject({
  id: Id,
  clientAction: PartialObject({
    type: StringEnum(['Open Link', 'Open Webview']),
    url: Type.String(),
  }),
  label: Type.String(),
  iconUrl: Type.String(),
})

const BlinkSection = PartialObject({
  id: Id,
  type: Type.String({
    description: 'What the section is, which decides what of the rest counts',
    examples: [
      ...['Header', 'Text', 'Labelled Text', 'Image', 'Image gallery', 'YouTube', 'Link', 'Buttons'],
      ...['Attachment', 'Event', 'Horizontal Bar Chart'],
    ],
  }),
  title: Type.String(),
  description: Type.String(),
  label: Type.String(),
  value: Type.String(),
  iconUrl: Type.String(),
  imageUrl: Type.String(),
  imageUrls: Type.Array(Type.String()),
  imagePlacement: StringEnum(['left', 'right', 'top']),
  fitImage: Type.Boolean(),
  width: NumberOrVariable,
  height: NumberOrVariable,
  link: Type.String({ description: '`YouTube`' }),
  url: Type.String(),
  buttons: Type.Array(BlinkButton),
  start: Type.String({ examples: ['2026-11-20T08:00:00Z'] }),
  end: Type.String(),
  allDay: Type.Boolean(),
  total: NumberOrVariable,
  data: Type.Array(
    PartialObject({ id: Id, name: Type.String(), value: NumberOrVariable, label: Type.String() }),
  ),
})

/** Reads users of Blink, puts a card into their feeds, or leads them on inside of its app. */
export const BlinkBlock = blockOf('blink', {
  ...vendorOptions('Get Users', 'Send Feed Event', 'Redirect'),
  filter: PartialObject({
    type: StringEnum(['User ID', 'Employee ID']),
    userId: Type.String(),
    employeeId: Type.String(),
  }),
  categoryId: Type.String({ description: '`Send Feed Event`' }),
  ribbonColor: Type.String({ examples: ['#FF0000'] }),
  sections: Type.Array(BlinkSection),
  allowComments: Type.Boolean(),
  allowReactions: Type.Boolean(),
  userIds: Type.Array(Type.String()),
  groupIds: Type.Array(Type.String()),
  pushNotification: PartialObject({ title: Type.String(), text: Type.String() }),
  url: Type.String({ description: '`Redirect`' }),
  responseMapping: ResponseItems(
    'Of `Get Users` a field of theirs, such as `Emails`; of an event `Event ID`',
  ),
})
export type BlinkBlock = Static<typeof BlinkBlock>

/** Shows a booking calendar in the browser, and waits for the booking. */
export const CalComBlock = blockOf('cal-com', {
  action: Type.String({ examples: ['Book event'] }),
  baseUrl: Type.String({ description: 'Default https://app.cal.com' }),
  link: Type.String({ description: 'Of the event to book', examples: ['ada/30min'] }),
  layout: StringEnum(['Month', 'Weekly', 'Columns'], { description: 'Default Month' }),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String({ description: 'Where the meeting takes place' }),
  additionalNotes: Type.String(),
  anyPrefilledInformations: Type.Array(
    PartialObject({ id: Id, questionId: Type.String(), value: Type.String() }),
  ),
  saveBookedDateInVariableId: Id,
})
export type CalComBlock = Static<typeof CalComBlock>

/** Asks an assistant of ChatNode. */
export const ChatNodeBlock = blockOf('chat-node', {
  ...vendorOptions('Send Message'),
  botId: Type.String({ description: 'The assistant that is asked' }),
  threadId: Type.String({ description: 'Continues this conversation; none begins a new one' }),
  message: Type.String({ examples: ['{{Question}}'] }),
  responseMapping: ResponseItems('`Message` (the default) or `Thread ID`'),
})
export type ChatNodeBlock = Static<typeof ChatNodeBlock>

/** Asks an assistant or a knowledge base of Dify. */
export const DifyAiBlock = blockOf('dify-ai', {
  ...vendorOptions('Create Chat Message', 'Query Knowledge Base'),
  query: Type.String({ examples: ['{{Question}}'] }),
  conversationVariableId: Type.Unsafe<string>({
    ...Id,
    description: 'Holds the id of the conversation, which goes on where it left off',
  }),
  user: Type.String({ description: 'Who asks. Default: a name made for the visitor' }),
  inputs: KeyValueRows,
  datasetId: Type.String({ description: '`Query Knowledge Base`' }),
  responseMapping: ResponseItems(
    '`Message content` (the default) or `Answer`, `Total tokens`, `Prompt tokens`, `Completion tokens`, `Conversation ID`; of a knowledge base `Retrieved chunks`',
  ),
})
export type DifyAiBlock = Static<typeof DifyAiBlock>

/** Has a text said by ElevenLabs, and keeps the recording. */
export const ElevenlabsBlock = blockOf('elevenlabs', {
  ...vendorOptions('Convert text to speech'),
  text: Type.String({ examples: ['Welcome, {{Name}}'] }),
  voiceId: Type.String({ examples: ['21m00Tcm4TlvDq8ikWAM'] }),
  modelId: Type.String({ description: "Default: the vendor's" }),
  saveUrlInVariableId: Id,
})
export type ElevenlabsBlock = Static<typeof ElevenlabsBlock>

/** Sends a mail from a mailbox of Gmail. */
export const GmailBlock = blockOf('gmail', {
  ...vendorOptions('Send email'),
  to: Type.String({ description: 'One address', examples: ['{{Email}}'] }),
  subject: Type.String(),
  body: Type.String(),
  attachments: Type.Unsafe<string>({ ...Id, description: 'A variable that holds addresses of uploads' }),
  label: Type.String({ description: 'The id of a label in the mailbox' }),
  from: Type.String({ description: 'One of the addresses of the mailbox' }),
  threadId: Type.String({ description: 'The conversation that the mail answers in' }),
  replyTo: Type.String(),
  responseMapping: ResponseItems('`Thread ID` (the default) or `Message ID`'),
})
export type GmailBlock = Static<typeof GmailBlock>

const SheetCells = Type.Array(
  PartialObject({
    id: Id,
    column: Type.String({ description: 'Title of the column' }),
    value: Type.String(),
  }),
)

const SheetRowFilter = PartialObject({
  logicalOperator: StringEnum(['AND', 'OR'], { description: 'Default OR' }),
  comparisons: Type.Array(
    PartialObject({
      id: Id,
      column: Type.String(),
      comparisonOperator: Type.String({ description: 'As in conditions', examples: ['Equal to'] }),
      value: Type.String(),
    }),
  ),
})

/** Reads or writes rows of a spreadsheet. */
export const GoogleSheetsBlock = blockOf('Google Sheets', {
  credentialsId: Id,
  spreadsheetId: Type.String(),
  sheetId: Type.String({ description: 'Numeric id of the sheet, as text' }),
  action: Type.String({ examples: ['Get data from sheet', 'Insert a row', 'Update a row'] }),
  filter: SheetRowFilter,
  cellsToExtract: Type.Array(PartialObject({ id: Id, column: Type.String(), variableId: Id })),
  totalRowsToExtract: StringEnum(['All', 'First', 'Last', 'Random'], { description: 'Default All' }),
  cellsToInsert: SheetCells,
  cellsToUpsert: SheetCells,
  parseValues: Type.Boolean({
    description: 'Whether numbers and dates become such, as if typed. Default false: all stays text',
  }),
  referenceCell: PartialObject(
    { id: Id, column: Type.String(), value: Type.String() },
    { description: 'Of versions below 6: the row to read or update; `filter` replaces it' },
  ),
})
export type GoogleSheetsBlock = Static<typeof GoogleSheetsBlock>

const nocodbOperators = [
  'Equal to',
  'Not equal',
  'Contains',
  'Greater than',
  'Less than',
  'Is set',
  'Is empty',
  'Starts with',
  'Ends with',
] as const

/** Reads and writes records of a NocoDB table. */
export const NocodbBlock = blockOf('nocodb', {
  ...vendorOptions('Search Records', 'Create Record', 'Update Existing Record'),
  tableId: Type.String(),
  viewId: Type.String({ description: 'Limits the records to those of a view' }),
  returnType: StringEnum(['All', 'First', 'Last', 'Random'], {
    description: '`Search Records`: which of the records that were found. Default All',
  }),
  filter: PartialObject({
    joiner: StringEnum(['AND', 'OR'], { description: 'Default AND' }),
    comparisons: Type.Array(
      PartialObject({
        id: Id,
        input: Type.String({ description: 'A field' }),
        operator: Type.String({ examples: [...nocodbOperators] }),
        value: Type.String(),
      }),
    ),
  }),
  responseMapping: Type.Array(PartialObject({ id: Id, fieldName: Type.String(), variableId: Id })),
  fields: Type.Array(PartialObject({ id: Id, key: Type.String(), value: Type.String() })),
  updates: Type.Array(PartialObject({ id: Id, fieldName: Type.String(), value: Type.String() })),
})
export type NocodbBlock = Static<typeof NocodbBlock>

/** Reports an event to PostHog. */
export const PosthogBlock = blockOf('posthog', {
  ...vendorOptions('Capture', 'Identify Group'),
  isAnonymous: Type.Boolean({ description: '`Capture`: an event without a profile of the visitor' }),
  distinctId: Type.String({ description: 'Who the event is about' }),
  event: Type.String({ description: '`Capture`', examples: ['Signed up'] }),
  properties: KeyValueRows,
  personProperties: KeyValueRows,
  groups: Type.Array(PartialObject({ id: Id, type: Type.String(), key: Type.String() })),
  groupType: Type.String({ description: '`Identify Group`', examples: ['company'] }),
  groupKey: Type.String({ description: '`Identify Group`' }),
})
export type PosthogBlock = Static<typeof PosthogBlock>

/** Makes a QR code, and keeps its address in a variable. */
export const QrCodeBlock = blockOf('qr-code', {
  action: Type.String({ examples: ['Generate a QR Code'] }),
  data: Type.String({ description: 'What the code holds', examples: ['https://shop.example/{{Order}}'] }),
  saveUrlInVariableId: Id,
})
export type QrCodeBlock = Static<typeof QrCodeBlock>

/** Reports to Segment who a visitor is, or what happened. */
export const SegmentBlock = blockOf('segment', {
  ...vendorOptions('Identify User', 'Alias', 'Page', 'Track'),
  userId: Type.String(),
  email: Type.String({ description: '`Identify User`' }),
  traits: KeyValueRows,
  previousId: Type.String({ description: '`Alias`: the id that becomes `userId`' }),
  name: Type.String({ description: '`Page`' }),
  category: Type.String({ description: '`Page`' }),
  eventName: Type.String({ description: '`Track`' }),
  properties: KeyValueRows,
})
export type SegmentBlock = Static<typeof SegmentBlock>

/** Opens the help desk's widget in the browser. */
export const ZendeskBlock = blockOf('zendesk', {
  ...vendorOptions('Open Web Widget'),
  userId: Type.String({ description: 'Logs the visitor in as this user' }),
  name: Type.String(),
  email: Type.String(),
  isEmailVerified: Type.Boolean({
    description: 'Whether the address is known to be that of the visitor. Default false',
  }),
  webWidgetKey: Type.String({ description: 'Names the widget' }),
})
export type ZendeskBlock = Static<typeof ZendeskBlock>

/** All of them. */
export const vendorBlocks = [
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
