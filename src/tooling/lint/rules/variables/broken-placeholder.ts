import { ScriptBlock } from '../../../../../schemas/blocks/logic.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import { templateOf } from '../../model/block-texts.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

/** Longer texts are not looked through. */
const longest = 20_000

const half = /(?<!\{)\{\{?\s{0,3}([^{}\n]{1,60}?)\s{0,3}\}(?:\s{0,3}\})?(?!\})/g

/** Code and patterns, in which braces mean something else. */
const codeKeys = new Set(['expressionToEvaluate', 'code', 'svg', 'body', 'bodyPath', 'url'])

/** Texts that nearly are placeholders. */
export const brokenPlaceholder = defineRule({
  code: 'broken-placeholder',
  severity: 'warning',
  title: 'Something that is nearly a placeholder',
  remedy: 'A placeholder is written {{Name}}.',
  description:
    'One brace in place of two (`{Name}`, `{{Name}`), a blank between braces (`{ {Name}}`), or the id of a variable in place of its name: the visitor reads the braces, or nothing. Only what names a declared variable is reported. Write `{{Name}}`, exactly as the variable is called.',
  checkBlock(placed, context) {
    const isCode = isOf(placed.block, ScriptBlock)
    for (const { at, key, text } of placed.texts) {
      const isText = text.includes('{') && text.length <= longest && !isCode && !codeKeys.has(key)
      if (isText) checkText({ placed, at, text }, context)
    }
  },
})

interface CheckedText {
  readonly placed: PlacedBlock
  readonly at: string
  readonly text: string
}

function checkText({ placed, at, text }: CheckedText, { model, report }: RuleContext): void {
  const { variables } = model.program
  const template = templateOf(text, variables)
  const pointer = placed.pointer + at
  for (const part of template?.parts ?? [text]) {
    if (typeof part !== 'string') {
      const name = part.kind === 'variable' ? part.ref.name : undefined
      const meant = name === undefined ? undefined : variables.byId(name)?.name
      if (meant === undefined || variables.byName(name ?? '').candidates.length > 0) continue
      const value = text.replaceAll(`{{${name}}}`, `{{${meant}}}`)
      report({
        pointer,
        message: `"{{${name}}}" holds the id of the variable "${meant}": only names are replaced.`,
        fix: { title: `Write {{${meant}}}`, patch: [{ op: 'replace', path: pointer, value }] },
      })
      continue
    }
    for (const [written, name = ''] of part.matchAll(half)) {
      if (variables.byName(name).candidates.length === 0) continue
      const value = text.replace(written, `{{${name}}}`)
      report({
        pointer,
        message: `"${written}" is no placeholder: the braces are shown as they are.`,
        fix: { title: `Write {{${name}}}`, patch: [{ op: 'replace', path: pointer, value }] },
      })
    }
  }
}
