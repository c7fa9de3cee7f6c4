import type { Rule } from '../rule.ts'
import { notAvailable } from './calls/block-not-available.ts'
import { invalidCode } from './code/invalid-code.ts'
import { danglingEdge } from './graph/dangling-edge.ts'
import { duplicateId } from './graph/duplicate-id.ts'
import { missingBlock } from './graph/missing-block.ts'
import { missingGroup } from './graph/missing-group.ts'
import { unknownBlockType } from './graph/unknown-block-type.ts'
import { invalidOption } from './inputs/invalid-option.ts'
import { invalidPattern } from './inputs/invalid-pattern.ts'
import { endlessLoop } from './paths/endless-loop.ts'
import { noStart } from './paths/no-start.ts'
import { unreachableGroup } from './paths/unreachable-group.ts'
import { headCodeTooLong } from './publication/head-code-too-long.ts'
import { invalidDefinition } from './publication/invalid-definition.ts'
import { notAllChecked } from './publication/not-all-checked.ts'
import { unusedSuppression } from './publication/unused-suppression.ts'
import { duplicateVariableName } from './variables/duplicate-variable-name.ts'
import { unknownVariable } from './variables/unknown-variable.ts'

/** Rules about one subject, in the order in which the page lists them and in which they are applied. */
export interface RuleChapter {
  readonly title: string
  readonly rules: readonly Rule[]
}

/** Every rule: the one place that knows them all. */
export const ruleChapters: readonly RuleChapter[] = Object.freeze([
  {
    title: 'The graph',
    rules: [duplicateId, danglingEdge, missingGroup, missingBlock, unknownBlockType],
  },
  { title: 'Ways through the flow', rules: [noStart, unreachableGroup, endlessLoop] },
  { title: 'Variables', rules: [duplicateVariableName, unknownVariable] },
  { title: 'Inputs and decisions', rules: [invalidOption, invalidPattern] },
  { title: 'Calls', rules: [notAvailable] },
  { title: 'Code', rules: [invalidCode] },
  {
    title: 'Publication',
    rules: [invalidDefinition, headCodeTooLong, unusedSuppression, notAllChecked],
  },
])

export const rules: readonly Rule[] = Object.freeze(ruleChapters.flatMap((chapter) => chapter.rules))

/** The rule of a code. */
export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]))
