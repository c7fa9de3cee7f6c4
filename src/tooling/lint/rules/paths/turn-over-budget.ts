import { usualLimits } from '../../../../engine/model/limits.ts'
import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule } from '../../rule.ts'

const most = { blocks: usualLimits.blocksPerTurn, calls: usualLimits.callsPerTurn }

interface Cost {
  readonly blocks: number
  readonly calls: number
}

/** Straight paths that do more than one turn may. */
export const turnOverBudget = defineRule({
  code: 'turn-over-budget',
  severity: 'warning',
  title: 'More in one turn than a turn may do',
  description: `Between two questions, on a path where nothing is decided, there are more than ${most.blocks} blocks or ${most.calls} calls: with the usual limits (\`MAX_BLOCKS_PER_TURN\`, \`MAX_CALLS_PER_TURN\`) the conversation ends there, or the further calls are not made. Ask something in between, or put the calls together.`,
  *checkFlowByTurns({ model, report }) {
    const costs = new Map<CompiledBlock, Cost>()
    // A path is followed from each block at which a turn can begin; those behind were counted with it.
    for (const start of startsOfTurns(model)) {
      yield
      let cost: Cost = { blocks: 0, calls: 0 }
      const seen = new Set<CompiledBlock>()
      for (let block: CompiledBlock | undefined = start; block && !seen.has(block); ) {
        seen.add(block)
        const isCall = block.handler?.marks?.calls && block.isPassThrough
        cost = { blocks: cost.blocks + 1, calls: cost.calls + (isCall ? 1 : 0) }
        const known = costs.get(block)
        if (known && known.blocks >= cost.blocks && known.calls >= cost.calls) break
        costs.set(block, cost)
        const isOver = cost.blocks > most.blocks || cost.calls > most.calls
        if (isOver) {
          const what = cost.blocks > most.blocks ? `${most.blocks} blocks` : `${most.calls} calls`
          report({
            pointer: block.pointer,
            message: `Here a turn has come to more than ${what} without a question.`,
            related: [{ pointer: start.pointer, message: 'The turn begins here.' }],
          })
          return
        }
        block = block.isPassThrough ? model.graph.defaultNext(block) : undefined
      }
    }
  },
})

function startsOfTurns({ blocks, graph }: FlowModel): CompiledBlock[] {
  const behind = blocks.flatMap(({ compiled }) => (compiled.isPassThrough ? [] : graph.next(compiled)))
  return [...new Set([...graph.entries, ...behind])]
}
