import type { Rule } from '../rule.ts'
import { accountRules } from './calls/accounts.ts'
import { noAiDisclosure } from './calls/ai-disclosure.ts'
import { requestRules } from './calls/http-requests.ts'
import { mailRules } from './calls/mails.ts'
import { modelRules } from './calls/models.ts'
import { codeRules } from './code.ts'
import { needlessEdgeRules } from './graph/needless-edges.ts'
import { referenceRules } from './graph/references.ts'
import { answerRules } from './inputs/answers.ts'
import { conditionRules } from './inputs/conditions.ts'
import { inputOptionRules } from './inputs/input-options.ts'
import { linkRules } from './links.ts'
import { endRules } from './paths/ends.ts'
import { loopRules } from './paths/long-turns.ts'
import { timerRules } from './paths/timed-events.ts'
import { wayRules } from './paths/ways.ts'
import { publishedFlowRules } from './publication/published-flow.ts'
import { invalidDefinition, notAllChecked, unusedSuppression } from './publication/remarks.ts'
import { undeclaredKey } from './publication/undeclared-key.ts'
import { unknownKey } from './publication/unknown-key.ts'
import { translationRules } from './texts/localizations.ts'
import { mediaRules } from './texts/media.ts'
import { messengerRules } from './texts/messengers.ts'
import { textRules } from './texts/shown-texts.ts'
import { brokenPlaceholder } from './variables/broken-placeholder.ts'
import { variableNameRules } from './variables/names.ts'
import { readAndWriteRules } from './variables/reads-and-writes.ts'
import { sensitivity } from './variables/sensitivity.ts'

/** Rules about one subject, in the order in which the page lists them and in which they are applied. */
interface RuleChapter {
  readonly title: string
  readonly rules: readonly Rule[]
}

/** Every rule: the one place that knows them all. */
export const ruleChapters: readonly RuleChapter[] = Object.freeze([
  { title: 'The graph', rules: [...referenceRules, ...needlessEdgeRules] },
  { title: 'Ways through the flow', rules: [...wayRules, ...loopRules, ...endRules] },
  { title: 'Timers and people', rules: timerRules },
  { title: 'Links to other flows', rules: linkRules },
  { title: 'Variables', rules: [...variableNameRules, brokenPlaceholder, ...readAndWriteRules, sensitivity] },
  { title: 'Texts and media', rules: [...mediaRules, ...textRules] },
  { title: 'Messengers', rules: messengerRules },
  { title: 'Languages', rules: translationRules },
  { title: 'Inputs and decisions', rules: [...inputOptionRules, ...conditionRules, ...answerRules] },
  {
    title: 'Calls and models',
    rules: [...accountRules, ...requestRules, ...mailRules, ...modelRules, noAiDisclosure],
  },
  { title: 'Code of flows', rules: codeRules },
  {
    title: 'Publication',
    rules: [
      invalidDefinition,
      unknownKey,
      undeclaredKey,
      ...publishedFlowRules,
      unusedSuppression,
      notAllChecked,
    ],
  },
])

export const rules: readonly Rule[] = Object.freeze(ruleChapters.flatMap((chapter) => chapter.rules))

/** The rule of a code. */
export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]))
