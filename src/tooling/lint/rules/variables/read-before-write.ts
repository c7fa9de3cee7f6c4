import { followWrites } from '../../model/graph/written-before.ts'
import type { VariableUsage } from '../../model/variable-uses.ts'
import { defineRule } from '../../rule.ts'

/** Reads that no write can have come before. */
export const readBeforeWrite = defineRule({
  code: 'read-before-write',
  severity: 'info',
  title: 'A variable that is read before anything can have written it',
  description:
    'The variable has no value of its own, and on every way to the block nothing writes it: it is empty there, unless whoever starts the conversation prefills it. Often a bubble greets by a name that is asked for later. Move the block behind the question, or give the variable a value.',
  *checkFlowByTurns({ model, report }) {
    const { flow, uses, graph } = model
    if (uses.isOpen) return
    const candidates = flow.variables.filter(
      ({ id, value }) => isEmpty(value) && isWrittenInBlocks(uses.of(id)),
    )
    const isWrittenBefore = yield* followWrites(
      candidates.map(({ id }) => id),
      model,
    )
    if (!isWrittenBefore) return
    for (const { id, name } of candidates) {
      const { reads, writes } = uses.of(id)
      const writers = new Set(writes.map(({ placed }) => placed))
      const early = reads.find(
        ({ placed }) =>
          placed &&
          !isWrittenBefore(placed, id) &&
          graph.isReachable(placed.compiled) &&
          // A block that counts up reads what it is about to write.
          !writers.has(placed),
      )
      if (!early) continue
      report({
        pointer: early.pointer,
        message: `Nothing can have written "${name}" here: it is empty, unless it is prefilled.`,
        variableId: id,
        related: writes.slice(0, 5).map(({ pointer }) => ({ pointer, message: 'It is written here.' })),
      })
    }
  },
})

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** A variable that events write is set from any moment on; one that nothing writes is meant to be prefilled. */
const isWrittenInBlocks = ({ writes, reads }: VariableUsage) =>
  reads.length > 0 && writes.length > 0 && writes.every(({ placed }) => placed !== undefined)
