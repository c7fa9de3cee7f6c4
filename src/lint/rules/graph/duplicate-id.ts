import { defineRule } from '../../rule.ts'

/** Ids that are given twice. */
export const duplicateId = defineRule({
  code: 'duplicate-id',
  severity: 'error',
  title: 'An id that is taken',
  description:
    'Two groups, blocks, edges, events or variables have one id. The first is found by it, and the other hardly ever. Copies of groups that were made outside of an editor look so. Give the later one an id of its own, and correct what names it.',
  checkFlow({ model, report }) {
    const { groups, edges, events, variables } = model.flow
    const blocks = groups.flatMap((group, index) =>
      group.blocks.map(({ id }, at) => ({ id, pointer: `/groups/${index}/blocks/${at}` })),
    )
    const lists = [placesOf('/groups', groups), placesOf('/edges', edges), placesOf('/events', events)]
    for (const places of [...lists, placesOf('/variables', variables), blocks]) {
      const first = new Map<string, string>()
      for (const { id, pointer } of places) {
        const taken = first.get(id)
        if (taken === undefined) first.set(id, pointer)
        else
          report({
            pointer: `${pointer}/id`,
            message: `The id "${id}" is taken by an earlier one, which wins.`,
            hint: 'Give this one its own.',
            related: [{ pointer: `${taken}/id`, message: 'The id is first used here.' }],
          })
      }
    }
  },
})

const placesOf = (at: string, list: readonly { readonly id: string }[]) =>
  list.map(({ id }, index) => ({ id, pointer: `${at}/${index}` }))
