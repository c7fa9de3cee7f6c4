import type { Program } from '../engine/model/program.ts'

/**
 * What the answers to a block are called: the variable that receives them, else the title of its group. Undefined
 * when there is neither, and when the flow has no such block any more.
 */
export function answerLabel({ blocks, variables }: Program, blockId: string): string | undefined {
  const block = blocks.get(blockId)
  const variableId = block?.handler?.answerVariableId?.(block.compiled)
  const name = variableId === undefined ? undefined : variables.byId(variableId)?.name
  return name ?? (block?.group.title || undefined)
}
