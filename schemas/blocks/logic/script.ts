import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Runs code, in the browser by default. Variables are `{{Name}}` in it. */
export const ScriptBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Code'),
  options: Type.Optional(
    PartialObject({
      name: Type.String({ description: 'For the editor. Default `Script`' }),
      content: Type.String({
        description: 'Body of an async JavaScript function; without it the block does nothing',
        examples: ['alert({{First name}})'],
      }),
      isExecutedOnClient: Type.Boolean({ description: 'Default true' }),
      isUnsafe: Type.Boolean({ description: 'Passed to the client, which isolates the code in a preview' }),
      shouldExecuteInParentContext: Type.Boolean({ description: 'For the editor' }),
    }),
  ),
})
export type ScriptBlock = Static<typeof ScriptBlock>
