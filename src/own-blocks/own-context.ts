import type { AnyBlock, CompileContext, RunContext } from '../engine/model/block-handler.ts'
import type { Assignment } from '../engine/model/step.ts'
import type { JsonTemplate } from '../engine/templates/json-template.ts'
import type { BlockContext, BlockItem, Value } from './kit/block-kit.ts'

/** Options of any own block: its schema says more. */
export type OwnOptions = Readonly<Record<string, unknown>>

/** A block of an own type as flows have it. */
export interface OwnBlockDefinition extends AnyBlock {
  readonly options?: OwnOptions
  readonly items?: readonly BlockItem[]
}

/** An own block, prepared: its options with their texts cut at the placeholders. */
export interface CompiledOwn {
  readonly options: JsonTemplate<OwnOptions>
  readonly items: readonly BlockItem[]
}

/** Prepares the options, and warns of placeholders that name no variable. */
export function compileOwn(
  { options = {}, items = [] }: OwnBlockDefinition,
  context: CompileContext,
): CompiledOwn {
  return { options: context.json(options, '/options'), items }
}

/** The assignments to variables that an option names; its author may have left it out. */
export function namedOnly(
  assignments: readonly { readonly variableId?: string | undefined; readonly value?: unknown }[],
): readonly Assignment[] {
  return assignments.flatMap(({ variableId, value }) =>
    variableId === undefined ? [] : [{ variableId, value }],
  )
}

/** Surroundings as own code gets them: this much is promised by the kit, whatever else a run knows. */
export function contextOf(context: RunContext, items: readonly BlockItem[]): BlockContext {
  return {
    blockId: context.blockId,
    flowId: context.flowId,
    items,
    isLive: context.isLive,
    publicUrl: context.publicUrl,
    variable: (id) => (id === undefined ? undefined : (context.variables.get(id) as Value)),
  }
}
