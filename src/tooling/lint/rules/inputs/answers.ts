import {
  CardsInputBlock,
  ChoiceInputBlock,
  PictureChoiceInputBlock,
} from '../../../../../schemas/blocks/inputs/choices.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const valueNeverOffered = defineRule({
  code: 'value-never-offered',
  severity: 'warning',
  title: 'A comparison with an answer that nobody can give',
  description:
    'The variable is written by choices only, and none of them has this value (the `value` of an item, else its label, compared exactly): a typo, a blank too many, or an item that was renamed. Correct the one or the other. Multiple choices, choices with placeholders, and variables that have a value or are written elsewhere are left alone.',
  checkBlock({ conditions, marks }, { model, report }) {
    if (!marks.decides) return
    for (const { comparisons, pointer } of conditions) {
      for (const [index, { variableId, comparisonOperator, value = '' }] of comparisons.entries()) {
        if (!variableId || comparisonOperator !== 'Equal to' || value.includes('{{')) continue
        const offered = offeredTo(variableId, model)
        if (!offered || offered.has(value) || value === '') continue
        report({
          pointer: `${pointer}/comparisons/${index}/value`,
          message: `No choice gives "${value}".`,
          ...hintFor(value, offered),
          variableId,
        })
      }
    }
  },
})

function hintFor(value: string, offered: ReadonlySet<string>): { hint?: string } {
  const near = [...offered].find((other) => other.trim().toLowerCase() === value.trim().toLowerCase())
  return near === undefined ? {} : { hint: `"${near}" is one.` }
}

/** The answers that a variable can hold; undefined where that is not known. */
function offeredTo(variableId: string, model: FlowModel): ReadonlySet<string> | undefined {
  const { answers } = model
  if (!answers.has(variableId)) answers.set(variableId, collectAnswers(variableId, model))
  return answers.get(variableId)
}

function collectAnswers(variableId: string, { program, uses }: FlowModel): Set<string> | undefined {
  const declared = program.variables.byId(variableId)
  const { writes } = uses.of(variableId)
  if (!declared || declared.initial !== null || writes.length === 0 || uses.isOpen) return undefined
  const offered = new Set<string>()
  for (const { placed } of writes) {
    const block = placed?.block
    if (!block || !isOf(block, ChoiceInputBlock)) return undefined
    const { isMultipleChoice, dynamicVariableId } = block.options ?? {}
    if (isMultipleChoice === true || dynamicVariableId) return undefined
    for (const { content = '', value } of block.items) {
      const given = value || content
      if (given.includes('{{')) return undefined
      offered.add(given)
    }
  }
  return offered
}

const duplicateChoice = defineRule({
  code: 'duplicate-choice',
  severity: 'warning',
  title: 'Two choices that can not be told apart',
  remedy: 'Give it another label.',
  description:
    'Two items have one label and no value of their own, or the value of one is the label of another: an answer is taken for the first of them. Give them different labels, or values. Items that are shown by a condition only are left alone.',
  blockTypes: [ChoiceInputBlock, PictureChoiceInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    if (!isOf(block, ChoiceInputBlock) && !isOf(block, PictureChoiceInputBlock)) return
    const first = new Map<string, number>()
    for (const [index, item] of block.items.entries()) {
      if (item.displayCondition?.isEnabled === true) continue
      const label = 'content' in item ? item.content : 'title' in item ? item.title : undefined
      const answers = new Set([item.value, label].flatMap((text) => (text ? [text] : [])))
      for (const answer of answers) {
        const taken = first.get(answer)
        // The same label with values of their own is distinguished by them, unless a visitor types.
        if (taken === undefined) first.set(answer, index)
        else if (!item.value || answer === item.value) {
          report({
            pointer: `${pointer}/items/${index}`,
            message: `"${answer}" is taken for an earlier item.`,
            related: [{ pointer: `${pointer}/items/${taken}`, message: 'The item that takes the answer.' }],
          })
          break
        }
      }
    }
  },
})

const emptyChoice = defineRule({
  code: 'empty-choice',
  severity: 'warning',
  title: 'A choice that shows nothing',
  remedy: 'List choices under `items`, or name a `dynamicVariableId`.',
  description:
    'An item has neither a label nor a picture, or an input has no items and no variable to take them from: visitors see an empty button, or nothing that they could answer. Fill it, or delete it.',
  blockTypes: [ChoiceInputBlock, PictureChoiceInputBlock, CardsInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    if (isOf(block, ChoiceInputBlock)) {
      if (block.options?.dynamicVariableId) return
      reportEmpty(block.items, (item) => Boolean(item.content))
    }
    if (isOf(block, PictureChoiceInputBlock)) {
      if (block.options?.dynamicItems?.isEnabled === true) return
      reportEmpty(block.items, (item) => Boolean(item.title || item.pictureSrc))
    }
    if (isOf(block, CardsInputBlock)) {
      reportEmpty(block.items, (item) =>
        Boolean(item.title || item.imageUrl || item.description || item.paths?.length),
      )
    }

    function reportEmpty<Item>(items: readonly Item[], isFilled: (item: Item) => boolean): void {
      if (items.length === 0) report({ pointer, message: 'This input has nothing to choose from.' })
      for (const [index, item] of items.entries()) {
        if (!isFilled(item))
          report({ pointer: `${pointer}/items/${index}`, message: 'This item shows nothing.' })
      }
    }
  },
})

const retrySaysNothing = defineRule({
  code: 'retry-says-nothing',
  severity: 'info',
  title: 'An input that refuses answers without words of its own',
  description:
    'The input takes answers of one kind only, and neither the block (`retryMessageContent`, where its type has that) nor the settings (`general.systemMessages.invalidMessage`) say what a visitor reads whose answer is refused: that is a general sentence, in the language of the flow (`general.language`) or in English. Write what is wanted. Reported once for a flow, at the first such input.',
  checkFlow({ model, report }) {
    const { settings, events } = model.flow
    const isSaid = settings.general?.systemMessages?.invalidMessage
    if (isSaid || events.some(({ type }) => type === 'invalidReply')) return
    const [first, ...others] = model.blocks.filter(refusesWithoutWords)
    if (!first) return
    const more = others.length > 0 ? ` and at ${others.length} more inputs` : ''
    report({
      pointer: first.pointer,
      message: `Nothing says what is shown when an answer is refused here${more}.`,
      hint: 'Write it into settings.general.systemMessages.invalidMessage.',
      related: others.slice(0, 5).map(({ pointer }) => ({ pointer, message: 'Nor here.' })),
    })
  },
})

function refusesWithoutWords({ block, marks }: PlacedBlock): boolean {
  if (marks.refuses !== 'other kinds') return false
  const { retryMessageContent } = ('options' in block ? (block.options ?? {}) : {}) as {
    retryMessageContent?: string
  }
  return !retryMessageContent
}

/** Rules about what visitors can answer. */
export const answerRules: readonly Rule[] = [
  valueNeverOffered,
  duplicateChoice,
  emptyChoice,
  retrySaysNothing,
]
