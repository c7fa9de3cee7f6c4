import { usualLimits } from '../../../../engine/model/limits.ts'
import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { isGroupTitle } from '../../model/graph/graph.ts'
import { loopsOf } from '../../model/graph/loops.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const endlessLoop = defineRule({
  code: 'endless-loop',
  severity: 'error',
  title: 'A loop without a question or a decision',
  remedy: 'Ask something on the way, or leave it by a condition.',
  description:
    'The walk comes back to the block without asking or deciding anything, along edges or by jumps, so that it never ends: the turn is cut off by its budget, and the conversation with it. Ask something on the way, or lead out of the loop.',
  checkFlow({ model, report }) {
    const onlyWays = new Map(model.blocks.map((placed) => [placed.compiled, onlyWayFrom(placed, model)]))
    const walked = new Map<CompiledBlock, CompiledBlock>()
    for (const start of onlyWays.keys()) {
      let block: CompiledBlock | undefined = start
      while (block && !walked.has(block)) {
        walked.set(block, start)
        block = onlyWays.get(block)
      }
      if (!block || walked.get(block) !== start) continue
      const message =
        'From here the flow comes back here without ever asking or deciding anything: it never ends.'
      report({ pointer: block.pointer, message })
    }
  },
})

/** The only block that a walk can go to from a block; undefined where there are several. */
function onlyWayFrom(
  { block, compiled, marks }: PlacedBlock,
  { graph, program }: FlowModel,
): CompiledBlock | undefined {
  if (compiled.isPassThrough) return graph.defaultNext(compiled)
  if (marks.leaves !== 'by jump') return undefined
  const { groupId } = marks.leadsTo?.(block) ?? {}
  if (groupId && isGroupTitle(groupId, program)) return undefined
  const [way, ...others] = graph.next(compiled)
  return others.length === 0 ? way : undefined
}

const hotLoop = defineRule({
  code: 'hot-loop',
  severity: 'warning',
  title: 'A loop whose conditions nothing in it can change',
  description:
    'The loop asks nothing, and is left by conditions only; but nothing inside it writes a variable that they look at: once it is entered without leaving at once, it runs until the budget of the turn cuts it off. A counter that is never increased looks so. Write the variable inside the loop, or ask something.',
  checkFlow({ model, report }) {
    if (!model.blocks.some(({ marks }) => marks.decides)) return
    for (const loop of loopsOf(model)) {
      const first = loop.find(({ marks }) => marks.decides)
      if (!first || !loop.every(({ marks }) => marks.changesNothing)) continue
      if (!isLeftByConditionsOnly(loop, model)) continue
      report({
        pointer: first.pointer,
        message: 'This loop asks nothing, and nothing in it writes what this condition looks at.',
        related: loop.slice(0, 10).map(({ pointer }) => ({ pointer, message: 'Part of the loop.' })),
      })
    }
  },
})

function isLeftByConditionsOnly(loop: readonly PlacedBlock[], { graph }: FlowModel): boolean {
  const inside = new Set<CompiledBlock>(loop.map(({ compiled }) => compiled))
  return loop.every(
    ({ marks, compiled }) => marks.decides || graph.next(compiled).every((next) => inside.has(next)),
  )
}

const mostPerTurn = { blocks: usualLimits.blocksPerTurn, calls: usualLimits.callsPerTurn }

interface Cost {
  readonly blocks: number
  readonly calls: number
}

const turnOverBudget = defineRule({
  code: 'turn-over-budget',
  severity: 'warning',
  title: 'More in one turn than a turn may do',
  description: `Between two questions, on a path where nothing is decided, there are more than ${mostPerTurn.blocks} blocks or ${mostPerTurn.calls} calls: the conversation ends there, or the further calls are not made. Ask something in between, or put the calls together.`,
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
        const isOver = cost.blocks > mostPerTurn.blocks || cost.calls > mostPerTurn.calls
        if (isOver) {
          const what =
            cost.blocks > mostPerTurn.blocks ? `${mostPerTurn.blocks} blocks` : `${mostPerTurn.calls} calls`
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

/** Rules about turns that take long or never end. */
export const loopRules: readonly Rule[] = [endlessLoop, hotLoop, turnOverBudget]
