import { findPatternProblem } from '../../../../engine/regex/regex.ts'
import { defineRule } from '../../rule.ts'

/** Patterns of one block that are looked at: reading one takes time. */
const mostPatterns = 20

/** Patterns that are looked for in the sandbox. */
export const slowPattern = defineRule({
  code: 'slow-pattern',
  severity: 'info',
  title: 'A regular expression that linear time is not enough for',
  description:
    'Look-around, back-references and a few other things can take any time, so that such a pattern is looked for in the sandbox, which costs more and is cut off. Most patterns can be written without: two comparisons in place of a look-ahead, for one.',
  checkBlock({ conditions }, { report }) {
    let left = mostPatterns
    for (const { comparisons, pointer } of conditions) {
      for (const [index, { comparisonOperator, value }] of comparisons.entries()) {
        if (!comparisonOperator?.endsWith('regex') || !value || value.includes('{{')) continue
        if (left-- <= 0) return
        if (findPatternProblem(value)?.kind !== 'beyond') continue
        const at = `${pointer}/comparisons/${index}/value`
        report({ pointer: at, message: 'This pattern can only be looked for in the sandbox.' })
      }
    }
  },
})
