import type { Translation } from '../../../../../schemas/flow.ts'
import { sourceHash } from '../../../../definition/content-hash.ts'
import {
  hasWords,
  shownTexts,
  textOfTranslation,
  translationIn,
} from '../../../../engine/compile/localise-flow.ts'
import { escapeToken } from '../../../../lib/json-pointer.ts'
import { namesIn, templateOf } from '../../model/block-texts.ts'
import type { Comparison } from '../../model/comparisons.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule, type Rule, type RuleContext } from '../../rule.ts'

type ShownText = ReturnType<typeof shownTexts> extends Generator<infer Text> ? Text : never

const ownLanguageMissing = defineRule({
  code: 'own-language-missing',
  severity: 'warning',
  title: 'Translations of a flow that does not name its own language',
  description:
    'The flow has `localizations`, and `settings.general.language` is absent: nobody can ask for the language that it is written in, and visitors who understand it may get another one. Name it.',
  checkFlow({ model: { flow, program }, report }) {
    if (program.locales.length > 0 && flow.settings.general?.language === undefined) {
      report({
        pointer: '/localizations',
        message: 'The language that this is translated from is not named.',
      })
    }
  },
})

const translationMissing = defineRule({
  code: 'translation-missing',
  severity: 'warning',
  title: 'A text that is not in every language',
  description:
    'Visitors read the text as it stands in the flow, in the middle of another language. Translate it: `flow-runtime translations export` writes what is missing. Texts without a word beside their placeholders are left alone.',
  *checkFlowByTurns({ model: { flow }, report }) {
    const locales = Object.entries(flow.localizations ?? {})
    if (locales.length === 0) return
    for (const { key, pointer, text } of shownTexts(flow)) {
      yield
      if (!hasWords(text)) continue
      const missing = locales.filter(([, texts]) => translationIn(texts, key) === undefined)
      if (missing.length === 0) continue
      report({
        pointer,
        message: `This is not translated into ${missing.map(([locale]) => locale).join(', ')}.`,
      })
    }
  },
})

/** A translation in its place, with the text that it stands for. */
interface PlacedTranslation {
  readonly key: string
  readonly pointer: string
  readonly translation: Translation
  /** Undefined where the key leads to none. */
  readonly of: ShownText | undefined
}

function* translationsIn({ flow }: FlowModel): Generator<PlacedTranslation> {
  const { localizations = {} } = flow
  const byKey = new Map<string, ShownText>()
  if (Object.keys(localizations).length > 0) for (const shown of shownTexts(flow)) byKey.set(shown.key, shown)
  for (const [locale, texts] of Object.entries(localizations)) {
    for (const [key, translation] of Object.entries(texts)) {
      const pointer = `/localizations/${escapeToken(locale)}/${escapeToken(key)}`
      yield { key, pointer, translation, of: byKey.get(key) }
    }
  }
}

/** The check of a rule that looks at each translation by itself. */
function checkEach(check: (placed: PlacedTranslation, context: RuleContext) => void) {
  return function* (context: RuleContext): Generator<void> {
    for (const placed of translationsIn(context.model)) {
      yield
      check(placed, context)
    }
  }
}

const translationOrphaned = defineRule({
  code: 'translation-orphaned',
  severity: 'warning',
  title: 'A translation of a text that is not there',
  description:
    'The key is the id of a block with a pointer to one of its texts that visitors read, or a pointer to one in the settings; this one leads to none, so that the translation is never shown. The block was deleted or its texts were moved. Delete the translation, or correct its key.',
  checkFlowByTurns: checkEach(({ key, pointer, of }, { report }) => {
    if (!of) report({ pointer, message: `Nothing that visitors read is at "${key.slice(0, 200)}".` })
  }),
})

const translationOutdated = defineRule({
  code: 'translation-outdated',
  severity: 'warning',
  title: 'A translation of an earlier text',
  description:
    'The text has changed since it was translated: its hash is no longer that in `source`. Translate it again; `flow-runtime translations export` marks such texts, and `import` writes the new hash. Translations without a `source` are left alone.',
  checkFlowByTurns: checkEach(({ pointer, translation, of }, { report }) => {
    if (!of || typeof translation === 'string' || translation.source === undefined) return
    if (translation.source !== sourceHash(of.text))
      report({ pointer, message: 'The text was another when this was translated.', related: placeOf(of) })
  }),
})

const placeOf = ({ pointer }: ShownText) => [{ pointer, message: 'The text' }]

const translationPlaceholders = defineRule({
  code: 'translation-placeholders',
  severity: 'error',
  title: 'A translation with other placeholders',
  description:
    'A variable of the text is not in its translation, or the translation has one that the text has not: visitors of that language miss a value, or read an empty place. Names are never translated.',
  checkFlowByTurns: checkEach(({ pointer, translation, of }, { model, report }) => {
    const text = textOfTranslation(translation)
    if (!of || text === '') return
    const { variables } = model.program
    const namesOf = (shown: string) => {
      const template = templateOf(shown, variables)
      return new Set(template ? namesIn(template) : [])
    }
    const [wanted, found] = [namesOf(of.text), namesOf(text)]
    const lost = [...wanted].filter((name) => !found.has(name)).map((name) => `{{${name}}} is missing`)
    const added = [...found]
      .filter((name) => !wanted.has(name))
      .map((name) => `{{${name}}} is not in the text`)
    if (lost.length + added.length > 0)
      report({ pointer, message: `${[...lost, ...added].join(', ')}.`, related: placeOf(of) })
  }),
})

interface Item {
  readonly content?: unknown
  readonly title?: unknown
  readonly value?: string
}

/** The labels that variables receive, with what they are in other languages, by the ids of the variables. */
function* translatedLabels({
  blocks,
  flow,
}: FlowModel): Generator<void, ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const byVariable = new Map<string, Map<string, string>>()
  const locales = Object.entries(flow.localizations ?? {})
  if (locales.length === 0) return byVariable
  for (const { block, compiled } of blocks) {
    const variableId = compiled.handler?.answerVariableId?.(compiled.compiled)
    if (variableId === undefined || !('items' in block)) continue
    for (const [index, item] of (block.items as readonly Item[]).entries()) {
      yield
      const [name, label] =
        typeof item.content === 'string' ? ['content', item.content] : ['title', item.title]
      if (item.value || typeof label !== 'string' || label === '') continue
      for (const [locale, texts] of locales) {
        const translation: string = translationIn(texts, `${block.id}/items/${index}/${name}`) ?? label
        if (translation === label) continue
        const labels = byVariable.get(variableId) ?? new Map<string, string>()
        byVariable.set(variableId, labels.set(label, `"${translation}" in ${locale}`))
      }
    }
  }
  return byVariable
}

const translatedLabelCompared = defineRule({
  code: 'translated-label-compared',
  severity: 'error',
  title: 'A condition on a label that is translated',
  description:
    'A choice without a `value` saves its label, which is another text in another language: the condition decides otherwise there. Give the item a `value`, which stays the same in all languages, and compare that.',
  *checkFlowByTurns({ model, report }) {
    const labels = yield* translatedLabels(model)
    if (labels.size === 0) return
    for (const { conditions } of model.blocks) {
      for (const { comparisons, pointer } of conditions) {
        for (const [index, comparison] of comparisons.entries()) {
          yield
          const other = labelIn(comparison, labels)
          if (other === undefined) continue
          const message = `The answer is ${other.slice(0, 200)}, which this does not compare with.`
          report({
            pointer: `${pointer}/comparisons/${index}/value`,
            message,
            variableId: comparison.variableId,
          })
        }
      }
    }
  },
})

function labelIn(
  { variableId = '', comparisonOperator, value = '' }: Comparison,
  labels: ReadonlyMap<string, ReadonlyMap<string, string>>,
): string | undefined {
  if (value === '' || comparisonOperator === 'Is set' || comparisonOperator === 'Is empty') return undefined
  const isWhole = comparisonOperator === 'Equal to' || comparisonOperator === 'Not equal'
  for (const [label, other] of labels.get(variableId) ?? [])
    if (isWhole ? label === value : label.toLowerCase().includes(value.toLowerCase())) return other
  return undefined
}

/** Rules about flows in several languages. */
export const translationRules: readonly Rule[] = [
  ownLanguageMissing,
  translationMissing,
  translationOrphaned,
  translationOutdated,
  translationPlaceholders,
  translatedLabelCompared,
]
