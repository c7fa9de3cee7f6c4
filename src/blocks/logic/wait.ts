import type { WaitBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'

interface Wait {
  readonly seconds: TextTemplate
  readonly shouldPause: boolean | undefined
}

/** Delays what follows on the client, and waits for it when the block pauses (docs/behaviour/logic.md, "Wait"). */
export const wait = defineBlock<WaitBlock, Wait | undefined>({
  types: ['Wait'],
  kind: 'logic',
  compile({ options }, context) {
    const seconds = String(options?.secondsToWaitFor ?? '')
    if (seconds === '') return undefined
    return {
      seconds: context.text(seconds, '/options/secondsToWaitFor'),
      shouldPause: options?.shouldPause,
    }
  },
  run(compiled, context) {
    if (!compiled) return {}
    const { shouldPause } = compiled
    const secondsToWaitFor = readSeconds(context.text(compiled.seconds))
    if (secondsToWaitFor === undefined || (secondsToWaitFor === 0 && shouldPause !== true)) return {}
    const reply = shouldPause === undefined ? {} : { expectsDedicatedReply: shouldPause }
    return {
      actions: [{ type: 'wait', wait: { secondsToWaitFor }, ...reply }],
      ...(shouldPause && { next: { to: 'wait' } }),
    }
  },
  isPassThrough: ({ options }) => options?.shouldPause !== true,
})

/** The number that a text starts with, its first comma taken for a decimal point. */
function readSeconds(text: string): number | undefined {
  const seconds = Number.parseFloat(text.replace(',', '.'))
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
