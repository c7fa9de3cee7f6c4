import type { CompileContext } from '../../../engine/model/block-handler.ts'
import type { Assignment } from '../../../engine/model/step.ts'
import { compileNumberOrVariable } from '../../number-or-variable.ts'
import { type CompileAction, type ConfiguredBlock, reportFailure } from './action.ts'
import { runCompletion } from './converse.ts'
import { splitImages } from './messages.ts'
import { compileTools } from './tools.ts'

type Options = ConfiguredBlock['options']

/** Asks a model that remembers the conversation (docs/behaviour/integrations.md, "Chat completion"). */
export const askModel: CompileAction = ({ type: blockType, options }, context) => {
  const { credentialsId, responseIdVariableId, responseMapping = [] } = options
  const modelName = context.text(options.model ?? '', '/options/model')
  const message = context.text(options.message ?? '', '/options/message')
  const instructions = context.text(options.instructions ?? '', '/options/instructions')
  const temperature = compileNumberOrVariable(options.temperature, context, '/options/temperature')
  const tools = compileTools(options.functions, context, '/options/functions')
  const builtIn = compileBuiltIn(options, context)
  return {
    streamedVariableId: responseMapping.find(({ item = 'Message' }) => item === 'Message')?.variableId,
    *run(run) {
      const model = run.text(modelName).trim()
      if (model === '') return { logs: [reportFailure('Model is empty')] }
      const content = run.text(message)
      if (content === '') return { logs: [reportFailure('Message is empty')] }
      const previous = responseIdVariableId === undefined ? null : run.variables.get(responseIdVariableId)
      const heat = temperature.render(run)
      const system = run.text(instructions)
      const { answer, assignments, logs } = yield* runCompletion(
        {
          blockType,
          credentialsId,
          dialect: 'responses',
          options: {
            model,
            ...(heat !== undefined && { temperature: heat }),
            ...(typeof previous === 'string' && previous !== '' && { previous_response_id: previous }),
          },
          messages: [
            ...(system === '' ? [] : [{ role: 'system', content: system }]),
            { role: 'user', content: options.vision ? splitImages(content) : content },
          ],
          tools,
          mcpServers: options.mcpServers,
          builtInTools: builtIn(run),
          context: 'While asking the model',
        },
        run,
      )
      if (!answer) return { assignments, logs }
      const parts = { Message: answer.content, 'Response ID': answer.id }
      const mapped = responseMapping.flatMap(({ item = 'Message', variableId }) =>
        write(variableId, Object.hasOwn(parts, item) ? parts[item as keyof typeof parts] : undefined),
      )
      return { assignments: [...assignments, ...mapped, ...write(responseIdVariableId, answer.id)], logs }
    },
  }
}

const write = (variableId: string | undefined, value: string | undefined): Assignment[] =>
  variableId === undefined || value === undefined ? [] : [{ variableId, value }]

/** Tools that the maker of the model runs itself. */
function compileBuiltIn(options: Options, context: CompileContext) {
  const { fileSearchVectorStoreIds = [], webSearchEnabled, codeInterpreterEnabled } = options
  const stores = fileSearchVectorStoreIds.map((id, index) =>
    context.text(id, `/options/fileSearchVectorStoreIds/${index}`),
  )
  const most = compileNumberOrVariable(
    options.fileSearchMaxNumResults,
    context,
    '/options/fileSearchMaxNumResults',
  )
  const score = compileNumberOrVariable(
    options.fileSearchScoreThreshold,
    context,
    '/options/fileSearchScoreThreshold',
  )
  const fixed = [
    ...(webSearchEnabled ? [{ type: 'web_search' }] : []),
    ...(codeInterpreterEnabled ? [{ type: 'code_interpreter', container: { type: 'auto' } }] : []),
  ]
  return (run: Parameters<ReturnType<CompileAction>['run']>[0]): readonly object[] => {
    const ids = stores.map((id) => run.text(id)).filter((id) => id !== '')
    const search = ids.length > 0 ? [writeSearch(ids, most.render(run), score.render(run))] : []
    return [...search, ...fixed]
  }
}

/** A number outside the maker's bounds is replaced by the nearest of them: the whole question would be refused. */
function writeSearch(ids: readonly string[], most: number | undefined, score: number | undefined): object {
  return {
    type: 'file_search',
    vector_store_ids: ids,
    ...(most !== undefined && { max_num_results: Math.trunc(clamp(most, 1, 50)) }),
    ...(score !== undefined && {
      ranking_options: { ranker: 'auto', score_threshold: clamp(score, 0, 1) },
    }),
  }
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
