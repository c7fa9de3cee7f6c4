import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { unescapeStep } from '../state/json.ts'

export interface TextRange {
  readonly from: number
  readonly to: number
}

/** Places of the values of a text, by their JSON pointers; a place is undefined for a pointer that leads nowhere. */
export function pointersIn(text: string): (pointer: string) => TextRange | undefined {
  const root = treeOf(text)
  return (pointer) => {
    let node = root
    for (const step of pointer.split('/').slice(1).map(unescapeStep))
      node = node && findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step])
    return node && { from: node.offset, to: node.offset + node.length }
  }
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text)
  } catch {
    // Brackets inside brackets until the stack is full.
    return undefined
  }
}
