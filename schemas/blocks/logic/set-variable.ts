import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

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
    'Referral Click ID',
    'Referral Source ID',
  ],
  { description: 'Default `Custom`. `User ID` is `Result ID` by another name' },
)
export type SetVariableType = Static<typeof SetVariableType>

/** Gives a variable a value. */
export const SetVariableBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Set variable'),
  options: Type.Optional(
    PartialObject({
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
        description:
          '`Now`, `Yesterday`, `Tomorrow`: IANA name or offset; may hold placeholders. Default UTC',
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
    }),
  ),
})
export type SetVariableBlock = Static<typeof SetVariableBlock>
