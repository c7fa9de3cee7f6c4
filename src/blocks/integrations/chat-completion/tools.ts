import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import type { ConfiguredBlock } from './action.ts'

/** A function that a model may have called. */
export interface Tool {
  readonly name: string
  readonly parameters: readonly string[]
  readonly code: TextTemplate
  describe(context: RunContext): object
}

/** The functions of a block, by name. */
export type Tools = ReadonlyMap<string, Tool>

type ToolOptions = NonNullable<ConfiguredBlock['options']['tools']>[number]
type Parameter = NonNullable<ToolOptions['parameters']>[number]

/** Prepares the functions of a block; those without a name or code are left out. */
export function compileTools(
  tools: readonly ToolOptions[] | undefined,
  context: CompileContext,
  at = '/options/tools',
): Tools {
  const compiled = (tools ?? []).flatMap((tool, index) => {
    const { name, code, type = 'function' } = tool
    if (type !== 'function' || !name || !code) return []
    return [compileTool({ ...tool, name, code }, `${at}/${index}`, context)]
  })
  return new Map(compiled.map((tool) => [tool.name, tool]))
}

function compileTool(
  { name, code, description = '', parameters: given = [] }: ToolOptions & { name: string; code: string },
  at: string,
  context: CompileContext,
): Tool {
  const parameters = given.flatMap((parameter, index) =>
    compileParameter(parameter, `${at}/parameters/${index}`, context),
  )
  const text = context.text(description, `${at}/description`)
  return {
    name,
    parameters: parameters.map((parameter) => parameter.name),
    code: context.lateText(code, `${at}/code`),
    describe: (run) => ({
      type: 'function',
      function: { name, ...described(text, run), parameters: schemaOf(parameters, run), strict: false },
    }),
  }
}

interface CompiledParameter {
  readonly name: string
  readonly isRequired: boolean
  readonly type: object
  readonly description: TextTemplate
}

function compileParameter(
  { name, type = 'string', values, description = '', required = true }: Parameter,
  at: string,
  context: CompileContext,
): CompiledParameter[] {
  const schema = typeSchema(type, values)
  if (!name || !schema) return []
  return [
    { name, isRequired: required, type: schema, description: context.text(description, `${at}/description`) },
  ]
}

/** The JSON Schema of a type; undefined for a choice among nothing. */
export function typeSchema(
  type: NonNullable<Parameter['type']> | 'array',
  values: readonly string[] | undefined,
): object | undefined {
  if (type === 'array') return { type: 'array', items: { type: 'string' } }
  if (type !== 'enum') return { type }
  return values && values.length > 0 ? { type: 'string', enum: values } : undefined
}

function schemaOf(parameters: readonly CompiledParameter[], context: RunContext): object {
  return objectSchema(
    parameters.map(({ name, isRequired, type, description }) => ({
      name,
      isRequired,
      schema: { ...type, ...described(description, context) },
    })),
  )
}

/** The JSON Schema of an object with these properties and no others. */
export function objectSchema(
  properties: readonly { name: string; isRequired: boolean; schema: object }[],
): object {
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    required: properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** A description where there is one. */
export function described(template: TextTemplate, context: RunContext): { description?: string } {
  const description = context.text(template)
  return description === '' ? {} : { description }
}
