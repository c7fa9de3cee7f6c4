import { slug } from '../yaml-text/identifiers.ts'
import { at, isNull, type MapNode, type Node, nameOf, scalarText } from '../yaml-text/yaml-nodes.ts'
import { isInputType, itemShapeOf, knownTypes, optionsShapeOf, shortNameOf } from './block-shapes.ts'
import { buildResponseMapping, buildText, finishStep, idIn } from './build-typed.ts'
import { type ChoiceContext, choicesIn } from './choices.ts'
import type { Draft, DraftPart } from './draft.ts'
import type { Built, WrittenStep } from './read-way.ts'
import { toPart } from './values.ts'

/** Inputs by the words that `as` takes. */
const inputs: ReadonlyMap<string, string> = new Map(
  knownTypes.filter(isInputType).flatMap((type) => [
    [shortNameOf(type), type],
    [type, type],
  ]),
)

const ownKeys = ['ask', 'as', 'choices', 'into', 'id', 'to', 'lint', 'items']

/** A question, and the input behind it. */
export function buildAsk({ map, groupId }: WrittenStep, draft: Draft): readonly Built[] {
  const type = inputTypeOf(map, draft)
  const kind = shortNameOf(type)
  const into = scalarText(at(map, 'into'))
  const name = slug(into ?? kind, { otherwise: slug(kind) })
  const id = idIn(map, draft) ?? draft.ids.blocks.make(groupId, name)
  const options = toPart(map, { shape: optionsShapeOf(type), left: ownKeys }, draft)
  buildResponseMapping(options, { map, type }, draft)
  const shown = { id, type, ...(Object.keys(options).length > 0 && { options }) }
  const input = withChoices(shown, { map, type, id }, draft)
  return [...questionOf(map, id, draft), input]
}

function inputTypeOf(map: MapNode, draft: Draft): string {
  const as = at(map, 'as')
  if (!as) return at(map, 'choices') ? 'choice input' : 'text input'
  const type = inputs.get(scalarText(as) ?? '')
  if (type !== undefined) return type
  const known = [...inputs.keys()].filter((name) => !name.endsWith(' input'))
  draft.reportUnknown(as, `no input is called ${nameOf(as)}; there are: ${known.join(', ')}`, known)
  return 'text input'
}

function questionOf(map: MapNode, id: string, draft: Draft): readonly Built[] {
  const question = at(map, 'ask')
  if (!question || isNull(question)) return []
  const built = buildText(question, { groupId: id }, draft)
  built.block['id'] = draft.ids.blocks.make(id, 'question')
  return [built]
}

function withChoices(
  fields: DraftPart,
  { map, type, id }: Omit<ChoiceContext, 'shape'> & { map: MapNode },
  draft: Draft,
): Built {
  const node = at(map, 'choices')
  const inside: Record<string, Node | undefined> = { type: at(map, 'as'), items: node, options: undefined }
  const shape = itemShapeOf(type)
  if (!shape) {
    if (node)
      draft.report(node, `"choices" belong to a choice, a picture choice or cards, and not to "${type}"`)
    return finishStep(fields, { map, node: map, inside }, draft)
  }
  const { items, branches } = choicesIn(node, { type, id, shape }, draft)
  return finishStep({ ...fields, items }, { map, node: map, inside, branches }, draft)
}
