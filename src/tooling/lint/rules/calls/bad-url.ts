import { requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Requests to what is no address. */
export const badUrl = defineRule({
  code: 'bad-url',
  severity: 'error',
  title: 'An HTTP request to what is no web address',
  description:
    'The address of a request has to be whole, with `https://` or `http://` in front: nothing is put before it. Everything else fails. Addresses that begin with a placeholder are not checked.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const url = requestOf(placed).options?.webhook?.url?.trim()
    if (!url || url.startsWith('{{') || isWebAddress(url)) return
    report({ pointer: `${placed.pointer}/options/webhook/url`, message: 'This is no web address.' })
  },
})

/** A placeholder may stand anywhere behind the scheme. */
function isWebAddress(url: string): boolean {
  const filled = url.replace(/\{\{[^{}]*\}\}/g, '1')
  return /^https?:\/\//i.test(filled) && URL.canParse(filled)
}
