import fc from 'fast-check'
import { blockSchemas } from '../../schemas/blocks/index.ts'
import { tagsOf } from '../../schemas/tagged-union.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { shownTexts } from '../../src/engine/compile/localise-flow.ts'

/** Small pools, so that ids collide, edges meet blocks, and now and then nothing answers to a name. */
const groupId = fc.constantFrom('g0', 'g1', 'g2', 'g3', 'gone')
const edgeId = fc.constantFrom('e0', 'e1', 'e2', 'e3', 'e4', 'gone')
const blockId = fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `b${index}`))
const variableId = fc.constantFrom('v0', 'v1', 'v2', 'v3', 'gone')

const fragment = fc.constantFrom(
  '{{Name}}',
  '{{Other}}',
  '{{Nobody}}',
  '${{Name}}',
  '{{= {{Name}} + 1 =}}',
  '{{={{List}}.length=}}',
  '{{=while(true){}=}}',
  '{{=',
  '{{',
  '}}',
  'Hello ',
  '**bold**',
  '- item\n',
  '# ',
  '> ',
  '5',
  '0',
  '\n\n',
  '\\',
  '"',
  '🙂',
  '\ud83d',
  'https://a.example/',
)
const text = fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join(''))

const leaf = fc.record(
  { text, bold: fc.constant(true), italic: fc.constant(true) },
  { requiredKeys: ['text'] },
)
const element = fc.record({
  type: fc.constantFrom('p', 'li', 'lic', 'ul', 'h1', 'odd'),
  children: fc.array(leaf, { maxLength: 3 }),
})
const link = fc.record({ type: fc.constant('a'), url: text, children: fc.array(leaf, { maxLength: 2 }) })
const richText = fc.array(fc.oneof(element, link, leaf), { maxLength: 3 })

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const record = (properties: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(properties, { requiredKeys: [] })

const comparison = fc.record(
  {
    id: fc.constant('q'),
    variableId,
    comparisonOperator: fc.constantFrom(
      'Equal to',
      'Not equal',
      'Contains',
      'Does not contain',
      'Greater than',
      'Less or equal to',
      'Is set',
      'Is empty',
      'Starts with',
      'Ends with',
      'Matches regex',
      'Does not match regex',
    ),
    value: fc.oneof(text, fc.constantFrom('/(a+)+$/', '/(/', '(?=x)', 'null')),
  },
  { requiredKeys: ['id'] },
)
const condition = record({
  logicalOperator: fc.constantFrom('AND', 'OR'),
  comparisons: fc.array(comparison, { maxLength: 3 }),
})
const displayCondition = record({ isEnabled: fc.boolean(), condition })
const items = (item: Record<string, fc.Arbitrary<unknown>>) =>
  fc.array(
    fc.record(
      { id: fc.constantFrom('i1', 'i2', 'i3'), outgoingEdgeId: edgeId, ...item },
      { requiredKeys: ['id'] },
    ),
    { maxLength: 3 },
  )

/** What makes a block of a type interesting; types that are not named here get options at random. */
const particulars: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  text: { content: record({ richText }) },
  image: { content: record({ url: text, clickLink: record({ url: text, alt: text }) }) },
  video: { content: record({ url: text, height: fc.oneof(fc.integer(), text) }) },
  audio: { content: record({ url: text, isAutoplayEnabled: fc.boolean() }) },
  embed: {
    content: record({
      url: text,
      height: text,
      waitForEvent: record({ isEnabled: fc.boolean(), name: text }),
    }),
  },
  'text input': {
    options: record({ variableId, isLong: fc.boolean(), labels: record({ placeholder: text }) }),
  },
  'number input': { options: record({ variableId, min: fc.oneof(fc.integer(), text), max: text }) },
  'date input': {
    options: record({ variableId, format: fc.constantFrom('dd/MM/yyyy', 'nope', 'YYYY'), min: text }),
  },
  'rating input': { options: record({ variableId, length: fc.integer({ min: 0, max: 9 }), startsAt: text }) },
  'file input': { options: record({ variableId, isRequired: fc.boolean() }) },
  'choice input': {
    items: items({ content: text, value: text, displayCondition }),
    options: record({ variableId, dynamicVariableId: variableId, isMultipleChoice: fc.boolean() }),
  },
  'picture choice input': {
    items: items({ title: text, pictureSrc: text, displayCondition }),
    options: record({ dynamicItems: record({ isEnabled: fc.boolean(), pictureSrcsVariableId: variableId }) }),
  },
  cards: {
    items: items({
      title: text,
      imageUrl: text,
      paths: fc.array(fc.record({ id: fc.constant('p'), text }), { maxLength: 2 }),
    }),
  },
  'Set variable': {
    options: record({
      variableId,
      type: fc.constantFrom(
        'Custom',
        'Empty',
        'Append value(s)',
        'Pop',
        'Shift',
        'Now',
        'Transcript',
        'Random ID',
        'Result ID',
      ),
      expressionToEvaluate: text,
      isExecutedOnClient: fc.boolean(),
      isCode: fc.boolean(),
      item: text,
      timeZone: text,
      saveItemInVariableId: variableId,
    }),
  },
  Condition: { items: items({ content: condition }) },
  Redirect: { options: record({ url: text, isNewTab: fc.boolean() }) },
  Code: { options: record({ content: text, isExecutedOnClient: fc.boolean() }) },
  Wait: { options: record({ secondsToWaitFor: text, shouldPause: fc.boolean() }) },
  Jump: { options: record({ groupId: fc.oneof(groupId, text), blockId }) },
  'AB test': {
    items: fc.tuple(
      fc.record({ id: fc.constant('a'), outgoingEdgeId: edgeId }, { requiredKeys: ['id'] }),
      fc.record({ id: fc.constant('b'), outgoingEdgeId: edgeId }, { requiredKeys: ['id'] }),
    ),
    options: record({ aPercent: fc.integer({ min: 0, max: 100 }) }),
  },
  'Flow link': {
    options: record({
      flowId: fc.constantFrom('current', 'flow', 'other', 'gone'),
      groupId: fc.oneof(groupId, text),
      mergeResults: fc.boolean(),
    }),
  },
  Webhook: {
    options: record({
      isExecutedOnClient: fc.boolean(),
      isCustomBody: fc.boolean(),
      webhook: record({ url: text, body: text }),
    }),
  },
  Chatwoot: { options: record({ task: fc.constantFrom('Show widget', 'Close widget'), websiteToken: text }) },
  'Google Analytics': { options: record({ trackingId: text, value: text }) },
  Pixel: { options: record({ pixelId: text, eventType: fc.constantFrom('Lead', 'Custom') }) },
}

const itemsRequired = new Set(['choice input', 'picture choice input', 'cards', 'Condition', 'AB test'])

function block(type: string): fc.Arbitrary<Record<string, unknown>> {
  const own = particulars[type] ?? {}
  const required = ['id', 'type', ...(itemsRequired.has(type) ? ['items'] : [])]
  return fc.record(
    { id: blockId, type: fc.constant(type), outgoingEdgeId: edgeId, ...own },
    { requiredKeys: required as never[] },
  )
}

const types = [...blockSchemas.flatMap((schema) => tagsOf(schema)), 'hologram']
const anyBlock = fc.oneof(...types.map(block), ...Object.keys(particulars).map(block))

const variable = fc.record(
  {
    id: variableId,
    name: fc.constantFrom('Name', 'Other', 'List', 'Count', 'toString'),
    value: fc.oneof(text, fc.constant(null), fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 3 })),
    isSessionVariable: fc.boolean(),
  },
  { requiredKeys: ['id', 'name'] },
)

const startEvent = fc.record(
  { id: fc.constant('start'), type: fc.constant('start'), outgoingEdgeId: edgeId },
  { requiredKeys: ['id', 'type'] },
)
const commandEvent = fc.record(
  {
    id: fc.constantFrom('c1', 'c2'),
    type: fc.constant('command'),
    outgoingEdgeId: edgeId,
    options: record({ command: fc.constantFrom('help', 'stop'), resumeAfter: fc.boolean() }),
  },
  { requiredKeys: ['id', 'type'] },
)
const replyEvent = fc.record(
  {
    id: fc.constantFrom('r1', 'r2'),
    type: fc.constantFrom('reply', 'invalidReply'),
    outgoingEdgeId: edgeId,
    options: record({
      contentVariableId: variableId,
      inputTypeVariableId: variableId,
      inputNameVariableId: variableId,
    }),
  },
  { requiredKeys: ['id', 'type'] },
)

/** Flows as authors would never draw them, all of them valid: broken graphs, odd texts, loops, every block type. */
export const arbitraryFlow = fc.record({
  version: fc.constantFrom('6', '6.1'),
  id: fc.constant('flow'),
  groups: fc.array(
    fc.record({
      id: groupId,
      title: fc.constantFrom('One', 'Two', '{{Name}}'),
      blocks: fc.array(anyBlock, { maxLength: 6 }),
    }),
    { maxLength: 4 },
  ),
  events: fc
    .tuple(startEvent, fc.array(fc.oneof(commandEvent, replyEvent), { maxLength: 3 }))
    .map(([first, others]) => [first, ...others]),
  edges: fc.array(
    fc.record({
      id: edgeId,
      to: fc.record({ groupId, blockId: maybe(blockId) }, { requiredKeys: ['groupId'] }),
    }),
    { maxLength: 8 },
  ),
  variables: fc.array(variable, { maxLength: 5 }),
  settings: record({
    general: record({ systemMessages: record({ invalidMessage: text }) }),
    metadata: record({ customHeadCode: text }),
  }),
  theme: record({
    general: record({ progressBar: record({ isEnabled: fc.boolean() }) }),
    chat: record({ hostAvatar: record({ url: text }) }),
  }),
})

/** What a visitor or a client says on the way: nothing, a word, a click, a recording, a command. */
export const arbitraryInput = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(
    '',
    '5',
    'Ann',
    '2024-03-05',
    'a@b.example',
    '[1]',
    '{"statusCode":200}',
    'https://a.example/f.png',
  ),
  fc.record(
    {
      type: fc.constant('text' as const),
      text,
      replyId: fc.constantFrom('i1', 'i2', 'p', 'choice0'),
      attachedFileUrls: fc.array(text, { maxLength: 2 }),
    },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: fc.constant('audio' as const), url: text }),
  fc.record({ type: fc.constant('command' as const), command: fc.constantFrom('help', 'stop', 'nothing') }),
)

/** What a request says where the engine is told the same. */
export function bodyOf(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || !('replyId' in input))
    return input === undefined ? {} : { message: input }
  const { replyId, ...message } = input
  return { message: { ...message, metadata: { replyId } } }
}

/** What comes with a start. */
export const arbitraryStart = record({
  message: fc.oneof(text, fc.record({ type: fc.constant('text'), text })),
  prefilledVariables: fc.dictionary(fc.constantFrom('Name', 'Other', 'List', 'Nobody'), fc.jsonValue()),
  textBubbleContentFormat: fc.constantFrom('richText', 'markdown'),
  isOnlyRegistering: fc.boolean(),
})

/**
 * The flow with all its texts in French too, but for the labels that an answer is compared with: a visitor's words mean the
 * same in both languages then.
 */
export function translated(definition: Record<string, unknown>): Record<string, unknown> {
  const shown = [...shownTexts(readDefinition(definition))].filter(({ key }) => !key.includes('/items/'))
  const texts = Object.fromEntries(shown.map(({ key, text: source }) => [key, `${source} (fr)`]))
  return { ...definition, localizations: { fr: texts } }
}
