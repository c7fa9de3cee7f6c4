import type { Block } from './blocks/index.ts'
import { chatCompletionTypes } from './blocks/models.ts'

/** Types of blocks by which a model writes or speaks. */
export const modelBlockTypes: readonly string[] = [
  ...chatCompletionTypes,
  'OpenAI',
  'chat-node',
  'dify-ai',
  'elevenlabs',
]

/** Answers of models about their work, which say nothing to anybody. */
const isMeasure = (item: string) => /(?: tokens| ID)$/i.test(item)

interface ModelOptions {
  readonly responseMapping?: readonly {
    readonly item?: string
    readonly valueToExtract?: string
    readonly variableId?: string
  }[]
  readonly variablesToExtract?: readonly { readonly variableId?: string }[]
  readonly saveUrlInVariableId?: string
}

/** The ids of the variables that hold what a model has written or said, once a block has run; none for other blocks. */
export function generatedVariableIds({ type, ...rest }: Pick<Block, 'type'>): readonly string[] {
  if (!modelBlockTypes.includes(type)) return []
  const { options = {} } = rest as { readonly options?: ModelOptions }
  const { responseMapping = [], variablesToExtract = [], saveUrlInVariableId } = options
  const answers = responseMapping.filter(
    ({ item, valueToExtract }) => !isMeasure(item ?? valueToExtract ?? ''),
  )
  const rows = [...answers, ...variablesToExtract, { variableId: saveUrlInVariableId }]
  return rows.flatMap(({ variableId }) => variableId ?? [])
}
