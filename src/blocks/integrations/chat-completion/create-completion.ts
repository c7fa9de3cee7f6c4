import type { CompileContext } from '../../../engine/model/block-handler.ts'
import type { Value } from '../../../engine/values/value.ts'
import { compileNumberOrVariable } from '../../number-or-variable.ts'
import { type CompileAction, type ConfiguredBlock, reportFailure } from './action.ts'
import type { Usage } from './answer.ts'
import { runCompletion } from './converse.ts'
import { compileMessages, renderMessages } from './messages.ts'
import { compileTools } from './tools.ts'

interface Answer {
  readonly content: string
  readonly usage: Usage
}

/** Parts of an answer, by the names that mappings have for them. */
const parts: ReadonlyMap<string, (answer: Answer) => unknown> = new Map<string, (answer: Answer) => unknown>([
  ['Message content', ({ content }) => content],
  ['Message Content', ({ content }) => content],
  ['Total tokens', ({ usage }) => usage.total],
  ['Prompt tokens', ({ usage }) => usage.prompt],
  ['Completion tokens', ({ usage }) => usage.completion],
])

/** Asks for the next message of a conversation (docs/behaviour/integrations.md, "Chat completion"). */
export const createCompletion: CompileAction = ({ type, options, appendsToLists }, context) => {
  const { credentialsId, model = '' } = options
  const modelName = context.text(model, '/options/model')
  const messages = compileMessages(options, context)
  const temperature = compileNumberOrVariable(options.temperature, context, '/options/temperature')
  const maxTokens = compileNumberOrVariable(options.maxTokens, context, '/options/maxTokens')
  const tools = compileTools(options.tools, context)
  const mapping = compileMapping(options.responseMapping, context)
  return {
    appendsToLists,
    streamedVariableId: mapping.find(({ item }) => /^Message content$/i.test(item))?.variableId,
    *run(run) {
      const model = run.text(modelName).trim()
      if (model === '') return { logs: [reportFailure('No model provided')] }
      const said = renderMessages(messages, run, options.vision === true)
      if (said.length === 0) return { logs: [reportFailure('No messages provided')] }
      const { answer, assignments, logs } = yield* runCompletion(
        {
          blockType: type,
          credentialsId,
          options: {
            model,
            ...given('temperature', temperature.render(run)),
            ...given('max_tokens', maxTokens.render(run)),
          },
          messages: said,
          tools,
          mcpServers: options.mcpServers,
          context: 'While generating chat completion',
        },
        run,
      )
      const mapped = answer ? mapAnswer(mapping, answer) : []
      const written = appendsToLists
        ? mapped.map(({ variableId, value }) => ({
            variableId,
            value: appended(run.variables.get(variableId), value),
          }))
        : mapped
      return { assignments: [...assignments, ...written], logs }
    },
  }
}

/** Behind the elements of a list; in place of anything else. */
export function appended(held: Value | undefined, value: unknown): unknown {
  return Array.isArray(held) ? [...held, value] : value
}

const given = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: value })

interface Row {
  readonly item: string
  readonly variableId: string
}

/** The first of several rows for one variable counts. */
function compileMapping(
  rows: ConfiguredBlock['options']['responseMapping'],
  context: CompileContext,
): readonly Row[] {
  const byVariable = new Map<string, Row>()
  for (const { item = 'Message content', variableId } of rows ?? []) {
    if (!variableId || byVariable.has(variableId) || !context.variables.byId(variableId)) continue
    byVariable.set(variableId, { item, variableId })
  }
  return [...byVariable.values()]
}

/** A count that the server does not return leaves its variable alone. */
function mapAnswer(mapping: readonly Row[], answer: Answer) {
  return mapping.flatMap(({ item, variableId }) => {
    const value = parts.get(item)?.(answer)
    return value === undefined ? [] : [{ variableId, value }]
  })
}
