import { namesInServerCode, serverCodeOf } from '../../model/server-code.ts'
import { defineRule } from '../../rule.ts'

/** Loops of code without an end. */
export const codeNeverEnds = defineRule({
  code: 'code-never-ends',
  severity: 'warning',
  title: 'Code with a loop that never ends',
  description:
    'A loop whose condition is always true, with no `break`, `return` or `throw` inside, runs until it is cut off: the code writes nothing, and leaves an error log. Give the loop an end.',
  checkBlock(placed, { model, report }) {
    for (const code of serverCodeOf(placed)) {
      if (!namesInServerCode(code, model)?.loopsForever) continue
      report({ pointer: code.pointer, message: 'A loop in this code never ends.' })
    }
  },
})
