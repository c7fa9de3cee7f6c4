import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Flow } from '../../schemas/flow.ts'
import type { TraceHop } from '../../schemas/trace.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { type PathStep, TurnPath } from '../../src/tooling/flow-tests/turn-path.ts'
import { arbitraryFlow, arbitraryInput } from '../support/arbitrary-flow.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { walkFlow } from '../support/walk-flow.ts'

/** Whether the definition has such a way from one block to the next; other hops name none. */
function leadsTo({ why, edgeId, groupId }: TraceHop, from: PathStep, to: PathStep, flow: Flow): boolean {
  const { group, id } = to.block
  switch (why) {
    case 'own edge':
    case 'item edge':
      return flow.edges.some((edge) => {
        const { groupId, blockId } = edge.to
        const isInGroup = group.blocks.some((block) => block.id === blockId)
        return edge.id === edgeId && groupId === group.id && (!isInGroup || blockId === id)
      })
    case 'next in group':
      return flow.groups.some(
        ({ id: groupId, blocks }) =>
          groupId === group.id &&
          groupId === from.block.group.id &&
          blocks.some((block, index) => block.id === from.block.id && blocks[index + 1]?.id === id),
      )
    case 'jump':
      return groupId === group.id || groupId === group.title
    default:
      return true
  }
}

const inputs = fc.array(arbitraryInput, { maxLength: 4 })

it('names blocks that exist, and edges that lead from one to the next', () => {
  const seen = new Map<string, number>()
  const property = fc.property(arbitraryFlow, arbitraryFlow, inputs, (first, second, said) => {
    const other = { ...second, id: 'other' } as Json
    const flows = new Map(
      [first as Json, other].map((one) => [String(one['id']), readDefinition(wholeDefinition(one))]),
    )
    const path = new TurnPath()
    let checked = 0
    const check = () => {
      for (let nth = checked; nth < path.steps.length; nth++) {
        const to = path.steps[nth]!
        const flow = flows.get(to.flowId)!
        const groups = flow.groups.filter(({ id }) => id === to.block.group.id)
        expect(groups.flatMap(({ blocks }) => blocks.map(({ id }) => id))).toContain(to.block.id)
        const from = nth > checked ? path.steps[nth - 1] : undefined
        const hop = from?.went.at(-1)
        if (!from || !hop) continue
        seen.set(hop.why, (seen.get(hop.why) ?? 0) + 1)
        expect({ hop, leads: leadsTo(hop, from, to, flow) }).toMatchObject({ leads: true })
      }
      checked = path.steps.length
    }
    try {
      let walked = walkFlow(first as Json, { linked: [other], journal: path, limits: { blocksPerTurn: 40 } })
      check()
      for (const input of said) {
        walked = walked.reply(input)
        check()
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'BAD_REQUEST' })
    }
  })
  fc.assert(property, { numRuns: 300 })
  expect(seen.get('own edge')).toBeGreaterThan(10)
})
