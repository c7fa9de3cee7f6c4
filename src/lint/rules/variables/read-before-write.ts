import type { CompiledBlock } from '../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import type { VariableUsage } from '../../model/variable-uses.ts'
import { defineRule } from '../../rule.ts'

/** Blocks that are walked in search of reads, for all variables together. */
const mostSteps = 2_000_000

/** Reads that no write can have come before. */
export const readBeforeWrite = defineRule({
  code: 'read-before-write',
  severity: 'info',
  title: 'A variable that is read before anything can have written it',
  description:
    'The variable has no value of its own, and on every way to the block nothing writes it: it is empty there, unless whoever starts the conversation prefills it. Often a bubble greets by a name that is asked for later. Move the block behind the question, or give the variable a value.',
  checkFlow({ model, report }) {
    if (model.uses.isOpen) return
    let steps = 0
    for (const { id, name, value } of model.flow.variables) {
      const usage = model.uses.of(id)
      // Where nothing writes it at all it is meant to be prefilled.
      if ((value !== undefined && value !== null && value !== '') || usage.writes.length === 0) continue
      const behind = blocksBehindWrites(usage, model)
      steps += behind.size
      const early = usage.reads.find(
        ({ placed }) =>
          placed &&
          !behind.has(placed.compiled) &&
          model.graph.isReachable(placed.compiled) &&
          !writesItself(usage, placed),
      )
      if (early) {
        report({
          pointer: early.pointer,
          message: `Nothing can have written "${name}" here: it is empty, unless it is prefilled.`,
          variableId: id,
          related: usage.writes
            .slice(0, 5)
            .map(({ pointer }) => ({ pointer, message: 'It is written here.' })),
        })
      }
      if (steps > mostSteps) return
    }
  },
})

function writesItself({ writes }: VariableUsage, placed: unknown): boolean {
  return writes.some((write) => write.placed === placed)
}

/** Every block that can be met after a write; all of them for a write outside of blocks. */
function blocksBehindWrites({ writes }: VariableUsage, { blocks, graph }: FlowModel): Set<CompiledBlock> {
  if (writes.some(({ placed }) => !placed)) return new Set(blocks.map(({ compiled }) => compiled))
  const behind = new Set(writes.flatMap(({ placed }) => (placed ? graph.next(placed.compiled) : [])))
  for (const block of behind) for (const next of graph.next(block)) behind.add(next)
  return behind
}
