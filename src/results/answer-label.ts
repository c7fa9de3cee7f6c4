import type { Program } from '../engine/model/program.ts'

/**
 * Label of the answers to a block: the variable that receives them, else the title of its group. Undefined when there is
 * neither, and when the flow has no such block any more.
 */
export function answerLabel(program: Program, blockId: string): string | undefined {
  return answerVariable(program, blockId) ?? (program.blocks.get(blockId)?.group.title || undefined)
}

/** The name of the variable that receives the answers to a block; undefined when they are saved in none. */
export function answerVariable({ blocks, variables }: Program, blockId: string): string | undefined {
  const block = blocks.get(blockId)
  const variableId = block?.handler?.answerVariableId?.(block.compiled)
  return variableId === undefined ? undefined : variables.byId(variableId)?.name
}
