import { requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Requests without an address. */
export const requestWithoutUrl = defineRule({
  code: 'request-without-url',
  severity: 'error',
  title: 'An HTTP request without an address',
  description:
    'The block is set up, and says nothing about where to send its request: it leaves an error log, and the variables of its mapping stay as they are. Write the address, or delete the block.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { webhook } = requestOf(placed).options ?? {}
    if (!webhook || webhook.url?.trim()) return
    report({ pointer: `${placed.pointer}/options/webhook`, message: 'This request has no address.' })
  },
})
