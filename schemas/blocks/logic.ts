import type { Static } from '@sinclair/typebox'
import { blockBase, blockOf, Duration, Id, itemBase, PartialObject, StringEnum } from '../common.ts'
import { Condition } from '../condition.ts'
import { Type } from '../type.ts'
import { ResponseVariableMapping } from './integrations.ts'

/** Start of a flow below version 6: the first block of its first group. Met on a walk it has no effect. */
export const StartBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('start'),
  label: Type.Optional(Type.String({ description: 'Shown by the editor', examples: ['Start'] })),
})
export type StartBlock = Static<typeof StartBlock>

/** Source of the value that a variable is set to. */
export const SetVariableType = StringEnum(
  [
    'Custom',
    'Empty',
    'Append value(s)',
    'Environment name',
    'Device type',
    'Transcript',
    'Result ID',
    'User ID',
    'Now',
    'Today',
    'Yesterday',
    'Tomorrow',
    'Random ID',
    'Moment of the day',
    'Map item with same index',
    'Pop',
    'Shift',
    'Phone number',
    'Contact name',
    'Contact ID',
    'Contact email',
    'Referral Click ID',
    'Referral Source ID',
  ],
  { description: 'Default `Custom`. `User ID` is `Result ID` by another name' },
)
export type SetVariableType = Static<typeof SetVariableType>

/** Gives a variable a value. */
export const SetVariableBlock = blockOf('Set variable', {
  variableId: Type.String({ description: 'The variable to write; without it the block does nothing' }),
  type: SetVariableType,
  isExecutedOnClient: Type.Boolean({
    description: '`Custom`: whether the expression is evaluated in the browser. Default false',
  }),
  isUnsafe: Type.Boolean({ description: 'Passed to the client, which isolates the code in a preview' }),
  expressionToEvaluate: Type.String({
    description: '`Custom`: text with placeholders, or a JavaScript expression, which is tried first',
    examples: ['Hello {{Name}}', '{{Count}} + 1'],
  }),
  isCode: Type.Boolean({
    description: '`Custom`: whether an expression that fails is reported in the logs. Default false',
  }),
  expressionDescription: Type.String({ description: 'For the editor' }),
  saveErrorInVariableId: Type.String({
    description: '`Custom` with `isCode`: receives why the expression failed',
  }),
  timeZone: Type.String({
    description: '`Now`, `Yesterday`, `Tomorrow`: IANA name or offset; may hold placeholders. Default UTC',
    examples: ['Europe/Paris', '+02:00'],
  }),
  mapListItemParams: PartialObject(
    { baseItemVariableId: Id, baseListVariableId: Id, targetListVariableId: Id },
    {
      description:
        '`Map item with same index`: the element of the target list where the base list holds the base item',
    },
  ),
  item: Type.String({ description: '`Append value(s)`: one text; may hold placeholders' }),
  saveItemInVariableId: Type.String({ description: '`Pop`, `Shift`: receives the element taken' }),
})
export type SetVariableBlock = Static<typeof SetVariableBlock>

/** Runs code, in the browser by default. Variables are `{{Name}}` in it. */
export const ScriptBlock = blockOf('Code', {
  name: Type.String({ description: 'For the editor. Default `Script`' }),
  content: Type.String({
    description: 'Body of an async JavaScript function; without it the block does nothing',
    examples: ['alert({{First name}})'],
  }),
  isExecutedOnClient: Type.Boolean({ description: 'Default true' }),
  isUnsafe: Type.Boolean({ description: 'Passed to the client, which isolates the code in a preview' }),
  shouldExecuteInParentContext: Type.Boolean({ description: 'For the editor' }),
})
export type ScriptBlock = Static<typeof ScriptBlock>

/** Leaves by the first of its items that holds, else by its own edge. */
export const ConditionBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Condition'),
  items: Type.Optional(
    Type.Array(Type.Object({ ...itemBase, content: Type.Optional(Condition) }), {
      description: 'Tested in this order; an item without content never holds',
    }),
  ),
})
export type ConditionBlock = Static<typeof ConditionBlock>

/** Sends the visitor to an address; the walk goes on. */
export const RedirectBlock = blockOf('Redirect', {
  url: Type.String({
    description: 'May hold placeholders. Without a scheme, `https://` is put before it',
    examples: ['https://shop.example/orders/{{Order}}'],
  }),
  isNewTab: Type.Boolean({ description: 'Default false, applied by the client' }),
})
export type RedirectBlock = Static<typeof RedirectBlock>

/** Delays what follows: on the client for up to a minute, and beyond in the service. */
export const WaitBlock = blockOf('Wait', {
  secondsToWaitFor: Type.Unsafe<number | string>({
    type: ['string', 'number'],
    description: 'Seconds: a number, or text that starts with one. May hold placeholders',
    examples: ['1.5', '{{Delay}}', 2],
  }),
  shouldPause: Type.Boolean({
    description: 'Whether the session waits for the client before it goes on. Default false',
  }),
  until: Type.String({
    description:
      'In place of the seconds: a moment, or the next time that it is so late, and the service waits. May hold placeholders',
    examples: ['2026-12-24T18:00:00+01:00', '09:00', '{{Appointment}}'],
  }),
  onWeekdays: Type.Boolean({ description: 'Whether `until` skips Saturday and Sunday. Default false' }),
  timeZone: Type.String({
    description:
      'Zone of an `until` that names none: IANA name or offset. May hold placeholders. Default UTC',
    examples: ['Europe/Berlin', '{{Time zone}}'],
  }),
  whenAnswered: StringEnum(['interrupt', 'keep'], {
    description:
      'What a reply does while the service waits: ends the wait, or is kept for the input behind it. Default interrupt',
  }),
})
export type WaitBlock = Static<typeof WaitBlock>

/** Pauses the conversation until a person gives it back, or nobody has come in time. */
export const HandoffBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Handoff'),
  options: Type.Optional(
    PartialObject({
      reason: Type.String({ description: 'For operators; visitors are not told. May hold placeholders' }),
      who: Type.String({
        description: 'The person or the team, which visitors are told. May hold placeholders',
        examples: ['Support'],
      }),
      message: Type.String({
        description: 'Shown to the visitor. May hold placeholders',
        examples: ['Somebody will be with you in a moment.'],
      }),
      deadline: Duration({
        description: 'How long nobody may have come; then it is left by its item. Default: for ever',
        examples: ['PT10M'],
      }),
    }),
  ),
  items: Type.Optional(
    Type.Array(Type.Object(itemBase), {
      maxItems: 1,
      description: 'The way on where nobody has come in time; without one the own edge',
    }),
  ),
})
export type HandoffBlock = Static<typeof HandoffBlock>

/** Goes on at another group of the flow, from where a Return block can come back. */
export const JumpBlock = blockOf('Jump', {
  groupId: Type.String({
    description: 'Id of a group, or exactly one placeholder that holds the title of a group',
    examples: ['gBasket', '{{Next group}}'],
  }),
  blockId: Type.String({ description: 'A block of that group. Default: its first block' }),
})
export type JumpBlock = Static<typeof JumpBlock>

/** Goes back behind the last jump; without one it has no effect. */
export const ReturnBlock = Type.Object({ ...blockBase, type: Type.Literal('Return') })
export type ReturnBlock = Static<typeof ReturnBlock>

const AbTestItem = Type.Object({
  ...itemBase,
  path: Type.Optional(StringEnum(['a', 'b'], { description: 'A label: the first item is a, the second b' })),
})

/** Draws one of two ways at each visit. */
export const AbTestBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('AB test'),
  items: Type.Array(AbTestItem, { minItems: 2, maxItems: 2 }),
  options: Type.Optional(
    PartialObject({
      aPercent: Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'How often the first way is taken, in percent. Default 50',
      }),
    }),
  ),
})
export type AbTestBlock = Static<typeof AbTestBlock>

/** Runs another flow, or another group of this one, and comes back behind the link. */
export const FlowLinkBlock = blockOf('Flow link', {
  flowId: Type.String({
    description: '`current`, the id of this flow, or the id or public id of another published flow',
    examples: ['current', 'flow-2'],
  }),
  groupId: Type.String({
    description:
      'Where to enter: id of a group, or exactly one placeholder that holds its title. Default: the start of the flow',
  }),
  mergeResults: Type.Boolean({
    description:
      'Whether variables and answers come back from the other flow. Default false; in flows below version 6 true',
  }),
})
export type FlowLinkBlock = Static<typeof FlowLinkBlock>

/** Waits until another system calls, and reads what it sends. Not to be confused with `Webhook`, which calls out. */
export const WebhookListenerBlock = blockOf('webhook', { responseVariableMapping: ResponseVariableMapping })
export type WebhookListenerBlock = Static<typeof WebhookListenerBlock>

/** All of them. */
export const logicBlocks = [
  StartBlock,
  SetVariableBlock,
  ScriptBlock,
  ConditionBlock,
  RedirectBlock,
  WaitBlock,
  HandoffBlock,
  JumpBlock,
  ReturnBlock,
  AbTestBlock,
  FlowLinkBlock,
  WebhookListenerBlock,
] as const
