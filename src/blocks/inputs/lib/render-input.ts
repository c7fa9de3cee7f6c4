import type { TSchema } from '@sinclair/typebox'
import type { Input } from '../../../../schemas/input.ts'
import { createScope } from '../../../engine/javascript/evaluate.ts'
import type { AnyBlock, CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Scope } from '../../../engine/model/scope.ts'
import type { Step } from '../../../engine/model/step.ts'
import { noCodes } from '../../../engine/model/template.ts'
import { JsonFragment } from '../../../engine/templates/json-fragment.ts'
import { compileJson, type JsonTemplate } from '../../../engine/templates/json-template.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import { Variables } from '../../../engine/values/variables.ts'

/** An option that is more than its text with placeholders replaced. It is left out where it renders to undefined. */
export interface ComputedOption {
  /** Whether it renders to the same for all values of the variables. */
  readonly isConstant: boolean
  render(scope: Scope): string | number | undefined
}

/** An input, ready to be shown. */
export interface RenderedInput {
  readonly template: JsonTemplate<Input>
  readonly computed: readonly (readonly [string, ComputedOption])[]
  /** The variable that receives the answer, and that an earlier answer is taken from. */
  readonly variableId: string | undefined
}

interface InputBlock extends AnyBlock {
  readonly options?: { readonly variableId?: string }
}

/** Prepares an input for its responses: of the definition, what `schema` declares, with nothing filled in. */
export function compileRenderedInput(
  block: InputBlock,
  schema: TSchema,
  context: CompileContext,
): RenderedInput {
  return compileComputedInput(block, { schema, computed: {} }, context)
}

/** Prepares an input likewise; each of `computed` takes the place of the option of that name. */
export function compileComputedInput(
  block: InputBlock,
  { schema, computed }: { schema: TSchema; computed: Readonly<Record<string, ComputedOption>> },
  context: CompileContext,
): RenderedInput {
  const entries = Object.entries(computed)
  const declared = withConstants(keepDeclared(schema, block) as Input, entries, context)
  return {
    template: compileTexts(declared, context),
    computed: entries.filter(([, option]) => !option.isConstant),
    variableId: block.options?.variableId,
  }
}

/** Shows the input and waits for a reply. */
export function renderInput(shown: RenderedInput, context: RunContext): Step {
  return { input: renderShownInput(shown, context), next: { to: 'wait' } }
}

/**
 * Renders the input with the present values, and with an earlier answer as it is stored: a text that is not empty; lists are
 * never offered again. What never changes is one frozen piece for every response.
 */
function renderShownInput(
  { template, computed, variableId }: RenderedInput,
  context: RunContext,
): JsonFragment<Input> {
  const piece = template.constant ?? context.render(template)
  const held = variableId === undefined ? undefined : context.variables.get(variableId)
  const prefilledValue = typeof held === 'string' && held !== '' ? held : undefined
  if (computed.length === 0 && !Object.hasOwn(piece.value, 'prefilledValue'))
    return prefilledValue === undefined ? piece : piece.with('prefilledValue', prefilledValue)
  return new JsonFragment({
    ...piece.value,
    ...(computed.length > 0 && { options: withComputed(piece.value.options, computed, context) }),
    ...(prefilledValue !== undefined && { prefilledValue }),
  } as Input)
}

/**
 * The parts of a value that a response schema lists; the value itself is left alone.
 * What the schema does not look into is kept whole.
 */
export function keepDeclared(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value))
    return schema['items'] ? value.map((item) => keepDeclared(schema['items'], item)) : value
  const properties: Readonly<Record<string, TSchema>> | undefined = schema['properties']
  if (!properties || typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const key in properties) {
    if (!Object.hasOwn(value, key)) continue
    kept[key] = keepDeclared(properties[key] as TSchema, value[key as keyof typeof value])
  }
  return kept
}

/** Prepares every text of the value but the ids, which are never templates. */
export function compileTexts<T>(value: T, context: CompileContext): JsonTemplate<T> {
  return compileJson(value, {
    compile: (text, pointer) =>
      idPointer.test(pointer)
        ? { parts: [text], constant: text, lone: undefined, codes: noCodes }
        : context.text(text, pointer),
    addressAt: (pointer) => (picturePointer.test(pointer) ? 'media' : undefined),
  })
}

/**
 * Prepares a text of the options a second time, for the block's own use. The author has been warned about its
 * placeholders when it was prepared for showing.
 */
export function writtenText(text: string | undefined, context: CompileContext): TextTemplate {
  return context.text(text ?? '', undefined)
}

const idPointer = /(?:\/id|Id)$/

const picturePointer = /^\/items\/\d+\/(?:imageUrl|pictureSrc)$/

const leftOut: ComputedOption = { isConstant: true, render: () => undefined }

/** Puts computed options that never change in place for good, and takes the others out. */
function withConstants(
  input: Input,
  computed: RenderedInput['computed'],
  { variables }: CompileContext,
): Input {
  if (!input.options) return input
  const constants = computed.map(([key, option]) => [key, option.isConstant ? option : leftOut] as const)
  const atRest = createScope({ variables: new Variables(variables), log: () => {}, spend: () => {} })
  return { ...input, options: withComputed(input.options, constants, atRest) } as Input
}

function withComputed(options: object = {}, computed: RenderedInput['computed'], scope: Scope) {
  const result: Record<string, unknown> = { ...options }
  for (const [key, option] of computed) {
    const value = option.render(scope)
    if (value === undefined) delete result[key]
    else result[key] = value
  }
  return result
}
