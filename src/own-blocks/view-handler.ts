import {
  type AnyBlock,
  type BlockHandler,
  type BlockSchema,
  type CompileContext,
  defineBlock,
  type RunContext,
} from '../engine/model/block-handler.ts'
import { andThen, type Effects } from '../engine/model/effects.ts'
import type { Reply, ReplyResult, Step } from '../engine/model/step.ts'
import { JsonFragment } from '../engine/templates/json-fragment.ts'
import { compileJson, type JsonTemplate } from '../engine/templates/json-template.ts'
import { checkVerdict } from './check-data.ts'
import type { Block, View } from './kit/block-kit.ts'
import {
  type CompiledOwn,
  compileOwn,
  contextOf,
  namedOnly,
  type OwnBlockDefinition,
  type OwnOptions,
} from './own-context.ts'
import { runOwn } from './run-own.ts'

/** An own bubble or input, prepared. */
interface CompiledView extends CompiledOwn {
  /** Of its view; the error for a view that could not be made. */
  readonly shown: { readonly compiled: unknown; readonly error?: undefined } | { readonly error: unknown }
}

interface ViewTerms extends Pick<BlockHandler, 'mock' | 'marks'> {
  readonly schema: BlockSchema<OwnBlockDefinition>
  readonly view: View<OwnOptions>
  /** Of the type of the view. */
  readonly base: BlockHandler
  /** Throws for a block that is none of the view's type. */
  check(block: AnyBlock): void
}

/**
 * Makes the handler of an own bubble or input. It is what its view is, to the walk and to clients that don't know its type:
 * those that do find the type and the options beside (`custom`).
 */
export function handlerOfView(own: Block, terms: ViewTerms): BlockHandler {
  const { base, view, check, marks, schema, mock } = terms
  const viewOf = ({ id, outgoingEdgeId, options = {}, items = [] }: OwnBlockDefinition): AnyBlock => {
    const edge = outgoingEdgeId === undefined ? {} : { outgoingEdgeId }
    const block = { id, type: view.type, ...edge, ...view.block(options, items) }
    check(block)
    return block
  }
  const shown = (block: OwnBlockDefinition): AnyBlock | undefined => {
    try {
      return viewOf(block)
    } catch {
      return undefined
    }
  }
  const compileView = (block: OwnBlockDefinition, context: CompileContext): CompiledView['shown'] => {
    try {
      return { compiled: base.compile(viewOf(block), withoutFindings(context)) }
    } catch (error) {
      return { error }
    }
  }
  const { reply } = base
  return defineBlock<OwnBlockDefinition, CompiledView>({
    ...(base as object),
    schema,
    mock,
    marks: { ...base.marks, ...marks } as NonNullable<BlockHandler['marks']>,
    kind: base.kind,
    compile: (block, context) => ({ ...compileOwn(block, context), shown: compileView(block, context) }),
    run: (compiled, context) =>
      andThen(base.run(innerOf(compiled), context), (step) =>
        withCustom(step, own, context.render(compiled.options)),
      ),
    ...(reply && {
      reply: (compiled, said, context) =>
        own.reply ? judge(own, compiled, said, context) : reply(innerOf(compiled), said, context),
    }),
    ...(own.reply && { readsTextsForReply: true }),
    ...ofCompiled(base),
    itemEdgeIds: (block) => ofBlock(shown(block), base.itemEdgeIds) ?? [],
    isPassThrough: (block) => ofBlock(shown(block), base.isPassThrough) ?? false,
    leadingVariable: (block, variables) => {
      const inner = shown(block)
      return inner && base.leadingVariable?.(inner, variables)
    },
  })
}

function ofBlock<Result>(block: AnyBlock | undefined, read: ((block: AnyBlock) => Result) | undefined) {
  return block && read?.(block)
}

function innerOf({ shown }: CompiledView): unknown {
  if (shown.error !== undefined) throw shown.error
  return (shown as { readonly compiled: unknown }).compiled
}

/** Parts of the handler that look at the view. */
function ofCompiled(base: BlockHandler) {
  const { uploads, retryMessage, answerVariableId } = base
  return {
    ...(uploads && {
      uploads: (compiled: CompiledView, context: RunContext) => uploads(innerOf(compiled), context),
    }),
    ...(retryMessage && {
      retryMessage: (compiled: CompiledView, context: RunContext) => retryMessage(innerOf(compiled), context),
    }),
    ...(answerVariableId && {
      answerVariableId: (compiled: CompiledView) =>
        compiled.shown.error === undefined ? answerVariableId(innerOf(compiled)) : undefined,
    }),
  }
}

function withCustom(step: Step, { type }: Block, { value: options }: JsonFragment<OwnOptions>): Step {
  const custom = { type, options }
  return {
    ...step,
    ...(step.input && { input: new JsonFragment(Object.assign({ custom }, step.input.value)) }),
    ...(step.message && { message: new JsonFragment(Object.assign({ custom }, step.message.value)) }),
  }
}

function judge(
  own: Block,
  { options, items }: CompiledView,
  said: Reply | undefined,
  context: RunContext,
): ReplyResult | Effects<ReplyResult> {
  if (said?.type !== 'text') return { outcome: 'refused', rule: 'it is no text' }
  const name = `reply of ${own.type}`
  return runOwn<ReplyResult>({
    name,
    begun: own.reply?.(said.text, context.render(options).value, contextOf(context, items)),
    spend: (characters) => context.spend(characters),
    finish(value) {
      const verdict = checkVerdict(value, `${name} returned what the kit does not know`)
      if (verdict.accepts === undefined)
        return { outcome: 'refused', rule: verdict.refuses ?? 'it was refused' }
      const assignments = namedOnly(verdict.assignments ?? [])
      return { outcome: 'accepted', content: verdict.accepts, assignments }
    },
  })
}

/** Texts of a view stand in no definition: the findings are those of the options that it is made of. */
function withoutFindings(context: CompileContext): CompileContext {
  const text: CompileContext['text'] = (source) => context.text(source, undefined)
  return {
    variables: context.variables,
    isLegacy: context.isLegacy,
    text,
    lateText: text,
    expression: (source, template) => context.expression(source, template),
    json: <T>(value: T, _at: string, addressAt: Parameters<CompileContext['json']>[2]): JsonTemplate<T> =>
      compileJson(value, { compile: (source) => text(source, undefined), ...(addressAt && { addressAt }) }),
    report: () => undefined,
    inspect: () => undefined,
  }
}
