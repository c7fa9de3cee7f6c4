import type { AnyNode, Program } from 'acorn'

/** Every node of a tree, those that are put in its place while it is gone through included. */
export function* walkNodes(program: Program): Generator<AnyNode, void> {
  const pending: object[] = [program]
  for (let item = pending.pop(); item; item = pending.pop()) {
    if ('type' in item) yield item as AnyNode
    for (const child of Object.values(item))
      if (typeof child === 'object' && child !== null) pending.push(child)
  }
}
