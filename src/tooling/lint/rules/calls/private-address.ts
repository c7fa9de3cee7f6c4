import { hostOf } from '../../facts.ts'
import { isPrivateHost, requestBlockTypes } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Requests to where flows may not reach. */
export const privateAddress = defineRule({
  code: 'private-address',
  severity: 'warning',
  title: 'An HTTP request into a private network',
  description:
    'Flows may not reach addresses inside the network of the service, nor the machine itself, unless the operator allows them (`OUTBOUND_ALLOW`): the request fails. Use the public address, or have it allowed. Requests that the browser sends are not reported.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { block, compiled, pointer } = placed
    const host = hostOf(block)
    const isFromBrowser = !compiled.isPassThrough
    if (host === undefined || isFromBrowser || !isPrivateHost(host)) return
    report({
      pointer: `${pointer}/options/webhook/url`,
      message: `"${host}" is inside a private network, where flows may reach only what the operator allows.`,
    })
  },
})
