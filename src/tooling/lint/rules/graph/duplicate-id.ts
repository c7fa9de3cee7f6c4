import { defineRule, type Report } from '../../rule.ts'

/** Ids that are given twice. */
export const duplicateId = defineRule({
  code: 'duplicate-id',
  severity: 'error',
  title: 'An id that is taken',
  description:
    'Two groups, blocks, edges, events or variables have one id. The first is found by it, and the other hardly ever. Copies of groups that were made outside of an editor look so. Give the later one an id of its own, and correct what names it.',
  checkFlow({ model, report }) {
    const { groups, edges, events, variables } = model.flow
    const blocks = groups.flatMap((group, index) => group.blocks.map(({ id }, at) => ({ id, index, at })))
    reportTaken(groups, (index) => `/groups/${index}`, report)
    reportTaken(edges, (index) => `/edges/${index}`, report)
    reportTaken(events, (index) => `/events/${index}`, report)
    reportTaken(variables, (index) => `/variables/${index}`, report)
    const blockAt = (place: number) => `/groups/${blocks[place]?.index}/blocks/${blocks[place]?.at}`
    reportTaken(blocks, blockAt, report)
  },
})

/** Reports each member of a list whose id an earlier one has. */
function reportTaken(
  list: readonly { readonly id: string }[],
  pointerAt: (index: number) => string,
  report: (report: Report) => void,
): void {
  const first = new Map<string, number>()
  for (const [index, { id }] of list.entries()) {
    const taken = first.get(id)
    if (taken === undefined) first.set(id, index)
    else
      report({
        pointer: `${pointerAt(index)}/id`,
        message: `The id "${id}" is taken by an earlier one, which wins.`,
        hint: 'Give this one its own.',
        related: [{ pointer: `${pointerAt(taken)}/id`, message: 'The id is first used here.' }],
      })
  }
}
