import { SetVariableBlock } from '../../../../../schemas/blocks/logic/set-variable.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { blockAs } from '../../model/placed-block.ts'
import { namesInServerCode } from '../../model/server-code.ts'
import { defineRule } from '../../rule.ts'

const placeholder = /\{\{[^{}]*\}\}/g
const quoted = /"[^"]*"|'[^']*'/g
/** The expression before the arguments of a call. */
const callee = /[\p{L}$][\p{L}\d$.]*(?=\s*\()/gu
/** An operator between what can be counted with. */
const operation = /[\d)\]]\s*(?:[-+*/%<>]|[<>=!]==?|&&|\|\|)\s*[-\d([]/

/** Longer texts are not looked at. */
const longest = 2_000

/** Sums that are taken for sentences. */
export const looksLikeCode = defineRule({
  code: 'looks-like-code',
  severity: 'info',
  title: 'An expression that looks like code and is none',
  description:
    'The expression has operators between placeholders and numbers, and no words, but it can not be parsed: a bracket is missing, or an operator is left over. What is no code is taken for a sentence, so that the variable is set to the text (`8 * (10`), without a log. Mend the expression; mark it as code (`isCode`) to be told of what fails.',
  blockTypes: tagsOf(SetVariableBlock),
  checkBlock(placed, { model, report }) {
    const {
      type = 'Custom',
      expressionToEvaluate: source,
      isCode,
    } = blockAs<SetVariableBlock>(placed).options ?? {}
    if (type !== 'Custom' || isCode === true || !source || source.length > longest) return
    const pointer = `${placed.pointer}/options/expressionToEvaluate`
    if (!isSum(source) || namesInServerCode({ pointer, source, isScript: false }, model)) return
    report({ pointer, message: 'This can not be parsed as code: the variable is set to the text as it is.' })
  },
})

function isSum(source: string): boolean {
  // The value of inline code is not known.
  if (!source.includes('{{') || source.includes('{{=')) return false
  const bare = source.replace(placeholder, '0').replace(quoted, '0').replace(callee, '')
  return operation.test(bare) && !/\p{L}/u.test(bare)
}
