import { requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Responses that are read whether they are good or not. */
export const failureIgnored = defineRule({
  code: 'failure-ignored',
  severity: 'info',
  title: 'A response that is read without its status',
  description:
    'Parts of the response go into variables, and nothing looks at `statusCode`: when the call fails, the variables keep what they held, and the flow goes on as if all were well. Map `statusCode` to a variable, and ask for it in a condition.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { responseVariableMapping: rows = [] } = requestOf(placed).options ?? {}
    const isRead = rows.some(({ variableId, bodyPath }) => variableId && bodyPath)
    if (!isRead || rows.some(({ bodyPath }) => bodyPath?.includes('statusCode'))) return
    const pointer = `${placed.pointer}/options/responseVariableMapping`
    report({ pointer, message: 'Whether this call has failed is never looked at.' })
  },
})
