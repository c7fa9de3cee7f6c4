import {
  type AnyBlock,
  type BlockHandler,
  type BlockSchema,
  defineBlock,
  type RunContext,
} from '../engine/model/block-handler.ts'
import { andThen, type Effects } from '../engine/model/effects.ts'
import { ExplainedError, visibleError } from '../engine/model/log-entry.ts'
import type { Step } from '../engine/model/step.ts'
import { type CheckedResult, checkResult } from './check-data.ts'
import type { Block, BlockItem } from './kit/block-kit.ts'
import { type CompiledOwn, compileOwn, contextOf, namedOnly, type OwnBlockDefinition } from './own-context.ts'
import { accountType, runOwn } from './run-own.ts'
import { handlerOfView } from './view-handler.ts'

/** The type of a view: its handler, and the check of its blocks. */
export interface ViewBase {
  readonly base: BlockHandler
  check(block: AnyBlock): void
}

/** Makes the handler of an own block type; `schema` is that of its blocks. */
export function handlerOf(
  own: Block,
  schema: BlockSchema<OwnBlockDefinition>,
  base: ViewBase | undefined,
): BlockHandler {
  // Its shape was checked when it was loaded.
  const mock = own.mock as BlockHandler['mock']
  const shared = { schema, mock, marks: marksOf(own) ?? {} }
  if (own.view && base) return handlerOfView(own, { ...shared, ...base, view: own.view })
  return defineBlock<OwnBlockDefinition, CompiledOwn>({
    ...shared,
    kind: own.kind,
    compile: compileOwn,
    run: (compiled, context) => runBlock(own, compiled, context),
    itemEdgeIds: ({ items = [] }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
    isPassThrough: ({ items = [] }) => items.length === 0,
  })
}

function marksOf({ marks = {} }: Block): BlockHandler['marks'] {
  const { account, ...rest } = marks
  return { ...rest, ...(account && { account: () => accountType }) }
}

function runBlock(own: Block, { options, items }: CompiledOwn, context: RunContext): Step | Effects<Step> {
  const name = `run of ${own.type}`
  const done = runOwn({
    name,
    begun: own.run?.(context.render(options).value, contextOf(context, items)),
    spend: (characters) => context.spend(characters),
    finish: (result) => checkResult(result ?? {}, `${name} returned what the kit does not know`),
  })
  return andThen(done, (result) => stepOf(result, items))
}

function stepOf({ assignments = [], logs = [], item }: CheckedResult, items: readonly BlockItem[]): Step {
  const left = items.find(({ id }) => id === item)
  if (item !== undefined && !left) throw new ExplainedError(`the block has no item ${JSON.stringify(item)}`)
  const edgeId = left?.outgoingEdgeId
  return {
    assignments: namedOnly(assignments),
    logs: logs.map((log) => (log.status === 'error' ? visibleError(log) : log)),
    ...(left && { item: { item: left.id } }),
    ...(edgeId !== undefined && { next: { to: 'edge', edgeId } }),
  }
}
