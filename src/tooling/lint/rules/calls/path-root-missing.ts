import { responseParts } from '../../../../engine/javascript/response-path/response-reader.ts'
import { defineRule } from '../../rule.ts'

/** Names and indexes alone: whatever else stands in a path is an expression, which may begin with anything. */
const plainPath = /^\s*([a-z_$][\w$]*)(?:\??\.[\w$]+|\[(?:\d+|"[^"]*"|'[^']*')\])*\s*$/

/** Words of the language, which stand for themselves. */
const constants = new Set(['true', 'false', 'null', 'undefined'])

interface Row {
  readonly variableId?: string
  readonly bodyPath?: string
}

/** Paths that begin with what no response has. */
export const pathRootMissing = defineRule({
  code: 'path-root-missing',
  severity: 'warning',
  title: 'A response path that begins with what no response has',
  description:
    'A path begins with `data`, the body of the response, or `statusCode` (`response` holds both). With anything else in front the variable keeps its value, without a log. Write `data.free` for the field `free` of the body.',
  checkBlock({ block, marks: { mapping }, pointer }, { report }) {
    if (!mapping) return
    const { options } = block as { options?: Readonly<Record<string, readonly Row[] | undefined>> }
    for (const [index, { variableId, bodyPath }] of (options?.[mapping.option] ?? []).entries()) {
      const [, root] = plainPath.exec(bodyPath ?? '') ?? []
      if (!variableId || root === undefined || constants.has(root) || responseParts.includes(root)) continue
      report({
        pointer: `${pointer}/options/${mapping.option}/${index}/bodyPath`,
        message: `A response has no "${root}".`,
        hint: `Did you mean "data.${bodyPath?.trim()}"?`,
      })
    }
  },
})
