import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Assignment, Step } from '../../../engine/model/step.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import { parseJson } from '../../json-texts.ts'
import { type CompileAction, type ConfiguredBlock, describeFailure, reportFailure } from './action.ts'
import { runCompletion } from './converse.ts'
import { described, objectSchema, typeSchema } from './tools.ts'

const purpose = 'While generating variables'

/** Has a model read values for variables out of a text (docs/behaviour/integrations.md, "Chat completion"). */
export const generateVariables: CompileAction = ({ type: blockType, options }, context) => {
  const { credentialsId, model = '', prompt = '' } = options
  const modelName = context.text(model, '/options/model')
  const request = context.text(prompt, '/options/prompt')
  const wanted = compileWanted(options.variablesToExtract, context)
  return {
    *run(run) {
      const model = run.text(modelName).trim()
      if (model === '') return { logs: [reportFailure('No model provided')] }
      const text = run.text(request)
      if (text === '') return { logs: [reportFailure('No prompt provided')] }
      if (wanted.length === 0) return { logs: [reportFailure('Could not parse variables to extract')] }
      const schema = schemaOf(wanted, run)
      const content = `${text}\n\n${instruction(schema)}`
      const question = {
        blockType,
        credentialsId,
        options: { model, response_format: { type: 'json_object' } },
        messages: [{ role: 'user', content }],
        schema,
        tools: new Map(),
        context: purpose,
      }
      const { answer, logs } = yield* runCompletion(question, run)
      return answer ? readVariables(answer.content, wanted, blockType) : { logs }
    },
  }
}

interface RequestedVariable {
  readonly variableId: string
  readonly name: string
  readonly isRequired: boolean
  readonly type: object
  readonly description: TextTemplate
}

/** The variables that can be asked for: those that the flow declares. */
function compileWanted(
  given: ConfiguredBlock['options']['variablesToExtract'] = [],
  context: CompileContext,
): readonly RequestedVariable[] {
  return given.flatMap(
    ({ variableId = '', type = 'string', values, description = '', isRequired = true }, index) => {
      const declaration = context.variables.byId(variableId)
      const schema = typeSchema(type, values)
      if (!declaration || !schema) return []
      const text = context.text(description, `/options/variablesToExtract/${index}/description`)
      return [{ variableId, name: declaration.name, isRequired, type: schema, description: text }]
    },
  )
}

function schemaOf(wanted: readonly RequestedVariable[], run: RunContext): object {
  const properties = wanted.map(({ name, isRequired, type, description }) => ({
    name,
    isRequired,
    schema: { ...type, ...described(description, run) },
  }))
  return objectSchema(properties)
}

/** Describes the schema in prose, since many servers do not take one. */
function instruction(schema: object): string {
  return `Answer with one JSON object that fits this JSON Schema, and with nothing else: ${JSON.stringify(schema)}`
}

/** Models like to wrap their JSON in prose or in a code block. */
function readVariables(content: string, wanted: readonly RequestedVariable[], blockType: string): Step {
  const found = parseJson(content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1))
  if (!found) {
    const failure = {
      kind: 'failed',
      message: 'The model answered no JSON object',
      details: content,
    } as const
    return { logs: [describeFailure(failure, { blockType, context: purpose })] }
  }
  const values = new Map(Object.entries(found.value as object))
  const assignments = wanted.flatMap(({ name, variableId }): Assignment[] => {
    const value: unknown = values.get(name) ?? null
    return value === null ? [] : [{ variableId, value }]
  })
  return { assignments }
}
