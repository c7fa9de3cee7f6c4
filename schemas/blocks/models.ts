import type { Static } from '@sinclair/typebox'
import { blockBase, blockOf, Id, NumberOrVariable, PartialObject, StringEnum } from '../common.ts'
import { Type } from '../type.ts'

/** The types that ask a language model; they differ in provider only. */
export const chatCompletionTypes = [
  'openai',
  'mistral',
  'groq',
  'deepseek',
  'open-router',
  'together-ai',
  'perplexity',
  'anthropic',
] as const

const Message = PartialObject({
  role: Type.String({
    description: '`system`, `user`, `assistant`, or `Dialogue` for the messages that a list variable holds',
    examples: ['user'],
  }),
  content: Type.String({ examples: ['{{Question}}'] }),
  dialogueVariableId: Id,
  startsBy: StringEnum(['user', 'assistant'], {
    description: 'Who speaks first in a dialogue. Default user',
  }),
})

const Parameter = PartialObject({
  type: StringEnum(['string', 'number', 'boolean', 'enum']),
  name: Type.String(),
  description: Type.String(),
  required: Type.Boolean({ description: 'Default true' }),
  values: Type.Array(Type.String(), { description: 'The words of an `enum`' }),
})

const Tool = PartialObject({
  type: Type.String({ description: 'Default `function`, the only one' }),
  name: Type.String(),
  description: Type.String(),
  parameters: Type.Array(Parameter),
  code: Type.String({ description: 'Body of an async function whose parameters are those above' }),
})

const VariableToExtract = PartialObject({
  type: StringEnum(['string', 'number', 'boolean', 'array', 'enum']),
  variableId: Id,
  description: Type.String(),
  isRequired: Type.Boolean({ description: 'Default true' }),
  values: Type.Array(Type.String(), { description: 'The words of an `enum`' }),
})

/** Asks a language model (docs/behaviour/integrations.md, "Chat completion"). */
export const ChatCompletionBlock = Type.Object({
  ...blockBase,
  type: StringEnum(chatCompletionTypes),
  options: Type.Optional(
    PartialObject({
      credentialsId: Type.String({
        description:
          'An account that the operator configured. Default: the one of this type, where there is one',
      }),
      action: Type.String({
        examples: ['Create chat completion', 'Create Chat Message', 'Generate variables', 'Ask Model'],
      }),
      baseUrl: Type.String({
        description: 'Has no effect: a stored key is never sent to an address of a block',
      }),
      apiVersion: Type.String({ description: 'Has no effect' }),
      model: Type.String({ examples: ['gpt-4o-mini'] }),
      messages: Type.Array(Message),
      systemMessage: Type.String({ description: 'Put before the messages' }),
      tools: Type.Array(Tool),
      mcpServers: Type.Array(
        PartialObject({
          credentialsId: Type.String({ description: 'An account of the type `mcp`. Default `default-mcp`' }),
          tools: Type.Array(Type.String(), {
            description: 'Names of its tools that the model may call; without any it may call none',
          }),
        }),
        { description: 'Servers of tools that the operator configured (Model Context Protocol)' },
      ),
      vision: Type.Boolean({
        description: 'Whether the model is shown the images whose addresses users say. Default false',
      }),
      temperature: NumberOrVariable,
      maxTokens: NumberOrVariable,
      responseMapping: Type.Array(
        PartialObject({
          item: Type.String({
            description:
              '`Message content` (the default), `Total tokens`, `Prompt tokens` or `Completion tokens`; of `Ask Model` `Message` (the default) or `Response ID`',
          }),
          variableId: Id,
        }),
      ),
      message: Type.String({ description: '`Ask Model` only' }),
      instructions: Type.String({ description: '`Ask Model`, and how a speech is to sound' }),
      responseIdVariableId: Type.Unsafe<string>({
        ...Id,
        description: '`Ask Model` only: holds the id of the last answer, so that the conversation goes on',
      }),
      fileSearchVectorStoreIds: Type.Array(Type.String(), { description: '`Ask Model` only' }),
      fileSearchMaxNumResults: NumberOrVariable,
      fileSearchScoreThreshold: NumberOrVariable,
      webSearchEnabled: Type.Boolean({ description: '`Ask Model` only' }),
      codeInterpreterEnabled: Type.Boolean({ description: '`Ask Model` only' }),
      functions: Type.Array(Tool, { description: '`Ask Model` only: as `tools`' }),
      input: Type.String({ description: '`Create speech`: what to say' }),
      voice: Type.String({ description: '`Create speech`', examples: ['alloy'] }),
      saveUrlInVariableId: Id,
      url: Type.String({ description: '`Create transcription`: an upload, or another address' }),
      transcriptionVariableId: Id,
      prompt: Type.String({ description: '`Generate variables`, and what a transcription is about' }),
      variablesToExtract: Type.Array(VariableToExtract, { description: '`Generate variables` only' }),
    }),
  ),
})
export type ChatCompletionBlock = Static<typeof ChatCompletionBlock>

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
export const LegacyOpenAiBlock = blockOf('OpenAI', {
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
})
export type LegacyOpenAiBlock = Static<typeof LegacyOpenAiBlock>

/** All of them. */
export const modelBlocks = [LegacyOpenAiBlock, ChatCompletionBlock] as const
