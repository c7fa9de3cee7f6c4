import { hostOf } from '../../facts.ts'
import { isPrivateHost, requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Requests without encryption. */
export const plainHttp = defineRule({
  code: 'plain-http',
  severity: 'info',
  title: 'An HTTP request that is not encrypted',
  description:
    'The address begins with `http://`: whoever carries the request can read and change it, with all that visitors have said. Use `https://`. Addresses inside a network are not reported.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { block, pointer } = placed
    const url = requestOf(placed).options?.webhook?.url?.trim() ?? ''
    const host = hostOf(block)
    if (!/^http:/i.test(url) || host === undefined || isPrivateHost(host)) return
    report({
      pointer: `${pointer}/options/webhook/url`,
      message: 'What this sends and gets is not encrypted.',
    })
  },
})
