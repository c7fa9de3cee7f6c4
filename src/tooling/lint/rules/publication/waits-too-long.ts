import { WaitBlock } from '../../../../../schemas/blocks/logic/wait.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { blockAs } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

const mostSeconds = 30

/** Waits that are longer than visitors stay. */
export const waitsTooLong = defineRule({
  code: 'waits-too-long',
  severity: 'info',
  title: `A wait of more than ${mostSeconds} seconds`,
  description:
    'The client delays everything that follows, and visitors take it for the end. Wait for less, or ask for something.',
  blockTypes: tagsOf(WaitBlock),
  checkBlock(placed, { report }) {
    const { secondsToWaitFor } = blockAs<WaitBlock>(placed).options ?? {}
    const seconds = Number.parseFloat(String(secondsToWaitFor ?? '').replace(',', '.'))
    if (!(seconds > mostSeconds)) return
    const pointer = `${placed.pointer}/options/secondsToWaitFor`
    report({ pointer, message: `Visitors have to wait for ${seconds} seconds.` })
  },
})
