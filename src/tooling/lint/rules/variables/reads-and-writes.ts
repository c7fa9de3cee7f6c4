import { ChoiceInputBlock, PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/choices.ts'
import { PaymentInputBlock } from '../../../../../schemas/blocks/inputs/files-and-payments.ts'
import { SetVariableBlock } from '../../../../../schemas/blocks/logic.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { followWrites } from '../../model/graph/written-before.ts'
import { itemEdgesOf, mappingRowsOf } from '../../model/placed-block.ts'
import type { VariableUsage } from '../../model/variable-uses.ts'
import { defineRule, type Report, type Rule } from '../../rule.ts'

const readBeforeWrite = defineRule({
  code: 'read-before-write',
  severity: 'info',
  title: 'A variable that is read before anything can have written it',
  description:
    'The variable has no value of its own, and on every way to the block nothing writes it: it is empty there, unless whoever starts the conversation prefills it. A variable of the scope `contact` may have the value of an earlier conversation, and is not reported. Often a bubble greets by a name that is asked for later. Move the block behind the question, or give the variable a value.',
  *checkFlowByTurns({ model, report }) {
    const { flow, uses, graph } = model
    if (uses.isOpen) return
    const candidates = flow.variables.filter(
      ({ id, value, scope }) => isEmpty(value) && scope !== 'contact' && isWrittenInBlocks(uses.of(id)),
    )
    const isWrittenBefore = yield* followWrites(
      candidates.map(({ id }) => id),
      model,
    )
    if (!isWrittenBefore) return
    for (const { id, name } of candidates) {
      const { reads, writes } = uses.of(id)
      const writers = new Set(writes.map(({ placed }) => placed))
      const early = reads.find(
        ({ placed }) =>
          placed &&
          !isWrittenBefore(placed, id) &&
          graph.isReachable(placed.compiled) &&
          // A block that counts up reads what it is about to write.
          !writers.has(placed),
      )
      if (!early) continue
      report({
        pointer: early.pointer,
        message: `Nothing can have written "${name}" here: it is empty, unless it is prefilled.`,
        variableId: id,
        related: writes.slice(0, 5).map(({ pointer }) => ({ pointer, message: 'It is written here.' })),
      })
    }
  },
})

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** A variable that events write is set from any moment on; one that nothing writes is meant to be prefilled. */
const isWrittenInBlocks = ({ writes, reads }: VariableUsage) =>
  reads.length > 0 && writes.length > 0 && writes.every(({ placed }) => placed !== undefined)

const unusedVariable = defineRule({
  code: 'unused-variable',
  severity: 'info',
  title: 'A variable that nothing reads or writes',
  description:
    'The variable is declared, and nothing in the flow uses it; or blocks write it, and nothing reads it. Variables of inputs are not reported, as their values are results; nor is anything in a flow that sends all its variables to others or links to other flows. Delete it, or use it; one that sites prefill to find it among the results, such as a campaign, is right as it is.',
  checkFlow({ model, report }) {
    if (model.uses.isOpen) return
    for (const [index, { id, name, scope, isSessionVariable }] of model.flow.variables.entries()) {
      const { reads, writes } = model.uses.of(id)
      // Another conversation may read it.
      if (scope === 'contact' && writes.length > 0) continue
      if (reads.length > 0 || writes.some(({ placed }) => placed?.kind === 'input')) continue
      const pointer = `/variables/${index}`
      if (writes.length > 0) {
        const related = writes
          .slice(0, 5)
          .map((use) => ({ pointer: use.pointer, message: 'It is written here.' }))
        report({ pointer, message: `Nothing reads the variable "${name}".`, related })
        continue
      }
      const fix = { title: 'Delete the variable', patch: [{ op: 'remove' as const, path: pointer }] }
      // Others are part of the results, with what a site prefills.
      report({ pointer, message: `Nothing uses the variable "${name}".`, ...(isSessionVariable && { fix }) })
    }
  },
})

/** A row as blocks have them: what it reads stands under one of several names, or is the usual part of the answer. */
const mappingOverwritten = defineRule({
  code: 'mapping-overwritten',
  severity: 'warning',
  title: 'Two rows of a mapping for one variable',
  description:
    'Of several rows that write one variable only one counts: with HTTP requests, webhooks and models the first that works, with blocks of vendors the last. If both values are wanted, use two variables.',
  checkBlock(placed, { report }) {
    const { mapping } = placed.marks
    if (!mapping) return
    const first = new Map<string, number>()
    const at = `${placed.pointer}/options/${mapping.option}`
    for (const [index, { variableId, bodyPath = 'usual' }] of mappingRowsOf(placed).entries()) {
      if (!variableId || !bodyPath) continue
      const taken = first.get(variableId)
      if (taken === undefined) first.set(variableId, index)
      else
        report({
          pointer: `${at}/${index}`,
          message:
            mapping.counts === 'first'
              ? `Row ${taken + 1} writes this variable already.`
              : `What row ${taken + 1} writes into this variable is overwritten.`,
          variableId,
          related: [{ pointer: `${at}/${taken}`, message: 'The first row for the variable.' }],
        })
    }
  },
})

const dynamicListNeverSet = defineRule({
  code: 'dynamic-list-never-set',
  severity: 'warning',
  title: 'Choices from a variable that nothing fills',
  description:
    'The choices are the elements of a variable that has no value and that nothing in the flow writes: visitors see no choice at all, unless the start prefills the variable. Fill the variable first, or use items.',
  blockTypes: [ChoiceInputBlock, PictureChoiceInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { model, report }) {
    if (isOf(block, ChoiceInputBlock)) {
      checkFilled(block.options?.dynamicVariableId, `${pointer}/options/dynamicVariableId`, { model, report })
    }
    if (isOf(block, PictureChoiceInputBlock) && block.options?.dynamicItems?.isEnabled === true) {
      const { pictureSrcsVariableId } = block.options.dynamicItems
      checkFilled(pictureSrcsVariableId, `${pointer}/options/dynamicItems/pictureSrcsVariableId`, {
        model,
        report,
      })
    }
  },
})

interface FilledCheck {
  readonly model: FlowModel
  report(report: Report): void
}

function checkFilled(variableId: string | undefined, pointer: string, { model, report }: FilledCheck): void {
  if (!variableId) return
  const declared = model.program.variables.byId(variableId)
  if (!declared || declared.isOfContact || model.uses.isOpen) return
  if (model.uses.of(variableId).writes.length > 0) return
  if (declared.initial !== null && declared.initial.length > 0) return
  report({ pointer, message: `Nothing fills the variable "${declared.name}".`, variableId })
}

const inputWithoutVariable = defineRule({
  code: 'input-without-variable',
  severity: 'info',
  title: 'An answer that no variable receives',
  description:
    'What is answered goes into the results under the name of the group, and nothing in the flow can use it. That is fine where a choice leads on by its items. Give the input a variable, if only for a name in the results. Choices that lead on by their items are not reported.',
  checkBlock(placed, { report }) {
    const { block, kind, pointer } = placed
    if (kind !== 'input' || itemEdgesOf(placed).length > 0 || isOf(block, PaymentInputBlock)) return
    const options = ('options' in block ? block.options : undefined) as
      | { readonly variableId?: string; readonly saveResponseMapping?: readonly unknown[] }
      | undefined
    if (options?.variableId || (options?.saveResponseMapping?.length ?? 0) > 0) return
    report({ pointer, message: 'No variable receives the answer.' })
  },
})

const setWithoutVariable = defineRule({
  code: 'set-without-variable',
  severity: 'warning',
  title: 'A value that no variable receives',
  description:
    'A Set variable block without a `variableId` does nothing at all, and nothing says so. Name the variable, or delete the block.',
  remedy: 'Name the variable: `variableId`.',
  blockTypes: tagsOf(SetVariableBlock),
  checkBlock({ block, pointer }, { report }) {
    if (!isOf(block, SetVariableBlock) || block.options?.variableId) return
    report({ pointer, message: 'No variable receives this value: the block does nothing.' })
  },
})

/** Rules about what is read and written, and when. */
export const readAndWriteRules: readonly Rule[] = [
  readBeforeWrite,
  unusedVariable,
  mappingOverwritten,
  dynamicListNeverSet,
  inputWithoutVariable,
  setWithoutVariable,
]
