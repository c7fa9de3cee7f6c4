import { waitingBlocksOf } from '../../model/graph/waiting-blocks.ts'
import { defineRule } from '../../rule.ts'

/** Blocks of the published version at which sessions may wait, and that are gone. */
export const removesWaitingBlock = defineRule({
  code: 'removes-waiting-block',
  severity: 'warning',
  title: 'A block is gone at which sessions may wait',
  description:
    'Conversations go on with the version that they began with, so that nothing breaks; but one that waits at a block that is gone can not be moved to this version (`updateFlow` is refused with 409). Keep the id of the block where you can. Looked for where the published version is known: in `PUT` of a flow and `flow-runtime publish`, and with `--against` on the command line.',
  checkFlow({ model, report }) {
    const { served } = model.surroundings
    if (!served) return
    const present = waitingBlocksOf(model.flow, model.program)
    for (const [id, name] of waitingBlocksOf(served.flow, served.program)) {
      if (present.has(id)) continue
      report({ pointer: '/groups', message: `No session can wait at "${id}" any more, ${name} until now.` })
    }
  },
})
