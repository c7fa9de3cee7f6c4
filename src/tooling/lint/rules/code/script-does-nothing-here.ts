import { RedirectBlock } from '../../../../../schemas/blocks/logic/redirect.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import { channelsOf } from '../../model/surroundings/channels.ts'
import { defineRule } from '../../rule.ts'

/** Work for a browser where there is none. */
export const scriptDoesNothingHere = defineRule({
  code: 'script-does-nothing-here',
  severity: 'warning',
  title: 'Something for a browser in a flow for a messenger',
  description:
    'The flow is meant for a messenger (`settings.whatsApp.isEnabled`, or `--channel`), where nothing runs scripts, pixels, widgets, or requests of the browser: the block does nothing there, and one that waits for the browser waits for ever. Let the service do it (`isExecutedOnClient: false`), or lead visitors of messengers around it. Redirects and frames are not reported: messengers show their addresses.',
  checkBlock({ block, kind, marks, pointer }, { model, report }) {
    if (kind === 'bubble' || isOf(block, RedirectBlock) || !marks.isClientOnly?.(block)) return
    const [channel] = channelsOf(model)
    if (channel === undefined) return
    report({ pointer, message: `Only a browser can do this: on ${channel} it does nothing.` })
  },
})
