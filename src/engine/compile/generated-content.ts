import type { Block } from '../../../schemas/blocks/index.ts'
import type { SetVariableBlock } from '../../../schemas/blocks/logic.ts'
import type { Flow } from '../../../schemas/flow.ts'
import { generatedVariableIds } from '../../../schemas/generated-content.ts'
import type { AnyBlock } from '../model/block-handler.ts'
import type { VariableRef, VariableTable } from '../values/variables.ts'

/** Finds the variables with words of a model that a block shows. */
export type FindGenerated = (block: AnyBlock) => readonly VariableRef[]

/**
 * Finds which variables hold what a model wrote: those that its blocks write, and those that are made of them. Undefined
 * for flows that don't say that a machine answers: the messages of others stay as they always were.
 */
export function compileGeneratedContent(flow: Flow, variables: VariableTable): FindGenerated | undefined {
  if (flow.settings.general?.aiDisclosure !== true) return undefined
  const blocks = flow.groups.flatMap((group) => group.blocks)
  const names = new Map<string, VariableRef>()
  const add = (id: string | undefined): boolean => {
    const name = id === undefined ? undefined : variables.byId(id)?.name
    if (name === undefined || names.has(placeholderOf(name))) return false
    names.set(placeholderOf(name), variables.byName(name))
    return true
  }
  const mentioned = (value: unknown): readonly VariableRef[] => {
    const text = JSON.stringify(value) ?? ''
    return [...names].flatMap(([placeholder, ref]) => (text.includes(placeholder) ? ref : []))
  }
  for (const block of blocks) for (const id of generatedVariableIds(block)) add(id)
  const made = blocks.filter(isSetVariable)
  // Each round adds a variable, of which there is a bounded number.
  const addMade = () =>
    made.filter(
      ({ options }) => mentioned(options?.expressionToEvaluate).length > 0 && add(options?.variableId),
    )
  while (addMade().length > 0);
  return (block) => mentioned((block as { readonly content?: unknown }).content)
}

const isSetVariable = (block: Block): block is SetVariableBlock => block.type === 'Set variable'

/** As it stands in JSON. */
const placeholderOf = (name: string) => `{{${JSON.stringify(name).slice(1, -1)}}}`
