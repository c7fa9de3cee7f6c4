import { ChatCompletionBlock, LegacyOpenAiBlock } from '../../../schemas/blocks/models.ts'
import type { ConfiguredBlock } from './chat-completion/action.ts'
import { defineCompletionBlock } from './chat-completion/completion-block.ts'

/** Asks a language model (docs/behaviour/integrations.md, "Chat completion"). */
export const chatCompletion = defineCompletionBlock<ChatCompletionBlock>({
  schema: ChatCompletionBlock,
  configure: ({ type, options }) => options && { type, options },
})

type LegacyOptions = NonNullable<LegacyOpenAiBlock['options']>
type Options = ConfiguredBlock['options']

/** The AI block of older flows, as the block that took its place (docs/behaviour/integrations.md, "Chat completion"). */
export const legacyOpenAi = defineCompletionBlock<LegacyOpenAiBlock>({
  schema: LegacyOpenAiBlock,
  configure: ({ options }) =>
    options && { type: 'openai', options: translate(options), appendsToLists: true, name: 'OpenAI' },
})

function translate({ task, messages, advancedSettings, responseMapping, ...rest }: LegacyOptions): Options {
  const { credentialsId, model, input, voice, saveUrlInVariableId } = rest
  return {
    ...defined({ credentialsId, input, voice, saveUrlInVariableId, action: task }),
    model: model ?? (task === 'Create speech' ? 'tts-1' : 'gpt-3.5-turbo'),
    ...(messages && { messages: messages.map(translateMessage) }),
    ...(advancedSettings?.temperature !== undefined && { temperature: advancedSettings.temperature }),
    ...(responseMapping && {
      responseMapping: responseMapping.map(({ valueToExtract: item, variableId }) =>
        defined({ item, variableId }),
      ),
    }),
  }
}

function translateMessage({
  content,
  ...message
}: NonNullable<LegacyOptions['messages']>[number]): NonNullable<Options['messages']>[number] {
  const { role, dialogueVariableId, startsBy } = message
  if (typeof content === 'object') return { role: 'Messages sequence', ...content }
  return defined({ role, content, dialogueVariableId, startsBy })
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
