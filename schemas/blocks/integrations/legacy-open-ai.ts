import type { Static } from '@sinclair/typebox'
import { blockBase, Id, NumberOrVariable, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

const tasks = ['Create chat completion', 'Create speech', 'Create image'] as const

/** Text, or for a sequence two lists that go by turns. One `type` list, so that a wrong value is reported once. */
const Content = Type.Unsafe<
  string | { userMessagesVariableId?: string; assistantMessagesVariableId?: string }
>({
  type: ['string', 'object'],
  properties: { userMessagesVariableId: Id, assistantMessagesVariableId: Id },
  description: 'Text, or the ids of two list variables, depending on the role',
})

/** The AI block of older flows, which does what `openai` does. */
export const LegacyOpenAiBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('OpenAI'),
  options: Type.Optional(
    PartialObject({
      credentialsId: Id,
      task: StringEnum(tasks),
      model: Type.String({ description: 'Default gpt-3.5-turbo, of speech tts-1' }),
      messages: Type.Array(
        PartialObject({
          id: Id,
          role: Type.String({
            description:
              '`system`, `user`, `assistant`, `Dialogue`, or a name that begins with `Messages sequence`',
            examples: ['user'],
          }),
          content: Content,
          dialogueVariableId: Id,
          startsBy: StringEnum(['user', 'assistant'], { description: 'Default user' }),
        }),
      ),
      advancedSettings: PartialObject({ temperature: NumberOrVariable }),
      responseMapping: Type.Array(
        PartialObject({
          id: Id,
          valueToExtract: Type.String({ description: 'Default `Message content`' }),
          variableId: Id,
        }),
      ),
      baseUrl: Type.String({
        description: 'Has no effect: a stored key is never sent to an address of a block',
      }),
      apiVersion: Type.String({ description: 'Has no effect' }),
      input: Type.String({ description: '`Create speech` only' }),
      voice: Type.String({ description: '`Create speech` only' }),
      saveUrlInVariableId: Id,
    }),
  ),
})
export type LegacyOpenAiBlock = Static<typeof LegacyOpenAiBlock>
