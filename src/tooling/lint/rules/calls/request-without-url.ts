import { requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Requests without an address. */
export const requestWithoutUrl = defineRule({
  code: 'request-without-url',
  severity: 'error',
  title: 'An HTTP request without an address',
  description:
    'The block is set up, and says nothing about where to send its request: it leaves an error log, and the variables of its mapping stay as they are. Write the address, or delete the block. Exports of version 3 and older hold no addresses: those were kept in a table beside the flows (`webhookId`).',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { options: { webhook } = {}, webhookId } = requestOf(placed)
    if (webhook?.url?.trim()) return
    if (webhookId !== undefined) {
      return report({
        pointer: `${placed.pointer}/webhookId`,
        message: 'The address of this request was kept beside the flow, and did not come along.',
        hint: 'Write the address, the method, the headers and the body into options.webhook.',
      })
    }
    if (!webhook) return
    report({ pointer: `${placed.pointer}/options/webhook`, message: 'This request has no address.' })
  },
})
