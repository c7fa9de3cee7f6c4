import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

const tasks = ['Create chat completion', 'Create speech', 'Create image'] as const

/** The AI block of older flows. Accepted in definitions; not available on this server. */
export const LegacyOpenAiBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('OpenAI'),
  options: Type.Optional(
    PartialObject({
      credentialsId: Id,
      task: StringEnum(tasks),
      model: Type.String({ description: 'Default gpt-3.5-turbo' }),
      messages: Type.Array(
        PartialObject({
          id: Id,
          role: Type.String({ examples: ['user', 'Dialogue'] }),
          content: Type.Unknown({
            description: 'Text, or the ids of two list variables, depending on the role',
          }),
          dialogueVariableId: Id,
          startsBy: StringEnum(['user', 'assistant'], { description: 'Default user' }),
        }),
      ),
      responseMapping: Type.Array(
        PartialObject({
          id: Id,
          valueToExtract: Type.String({ description: 'Default `Message content`' }),
          variableId: Id,
        }),
      ),
    }),
  ),
})
export type LegacyOpenAiBlock = Static<typeof LegacyOpenAiBlock>
