import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { Reply, ReplyResult } from '../../../engine/model/step.ts'
import { composeText } from '../../../engine/values/compose-text.ts'
import { refuse } from '../lib/reply-result.ts'

/** One of the items that a visitor can choose, as far as replies go. */
export interface Choice {
  readonly id: string
  /** Value that is saved in place of the name. */
  readonly value?: string | undefined
  readonly title?: string | undefined
  /** Stands for a title that is empty. */
  readonly pictureSrc?: string | undefined
  readonly outgoingEdgeId?: string | undefined
}

/**
 * Label by which a visitor may name a choice; empty for one without any title, which only its id and value can name.
 */
export function choiceLabelOf({ title, pictureSrc }: Choice): string {
  return (title === '' ? pictureSrc : title) ?? ''
}

/** Name that is saved for a choice without a value. */
export function savedNameOf({ title, pictureSrc }: Choice): string {
  return title || pictureSrc || ''
}

type TextReply = Extract<Reply, { type: 'text' }>

/** Choices that a reply is matched against. */
export interface Choices {
  /** The items that the visitor sees now. */
  readonly shown: readonly Choice[]
  /** The items of the flow, whether they are shown or others in their place. */
  readonly defined: readonly Choice[]
}

/** Takes a reply for one of the choices, named exactly (docs/behaviour/inputs.md, "Choice input"). */
export function chooseOne(reply: TextReply, { shown, defined }: Choices, context: RunContext): ReplyResult {
  const choice = clicked(reply.replyId, shown) ?? named(reply.text, shown, context)
  const content = choice && (choice.value || savedNameOf(choice))
  if (!content) return refuse('it names none of the items')
  const edgeId = choice.outgoingEdgeId ?? edgeOfNamesake(content, defined, context)
  const items = itemsOf([choice], defined)
  return { outcome: 'accepted', content, ...(edgeId !== undefined && { edgeId }), ...items }
}

/** Those of the flow among chosen items: others come from values, which are nobody's to count. */
export function itemsOf(
  chosen: readonly Choice[],
  defined: readonly Choice[],
): Pick<Extract<ReplyResult, { outcome: 'accepted' }>, 'items'> {
  const items = chosen.flatMap(({ id }) => (defined.some((item) => item.id === id) ? id : []))
  return items.length > 0 ? { items } : {}
}

function clicked(replyId: string | undefined, shown: readonly Choice[]): Choice | undefined {
  return replyId === undefined ? undefined : shown.find(({ id }) => id === replyId)
}

/** The choice with the longest label among those that the text names; the first of several. */
function named(text: string, shown: readonly Choice[], { spend }: RunContext): Choice | undefined {
  const name = text.trim()
  let best: Choice | undefined
  for (const choice of shown) {
    const [label, { id, value = '' }] = [choiceLabelOf(choice), choice]
    spend(1 + label.length + value.length)
    const isNamed = id === text || (name !== '' && (value.trim() === name || label.trim() === name))
    if (isNamed && (best === undefined || label.length > choiceLabelOf(best).length)) best = choice
  }
  return best
}

/** Choices from a variable have no edge of their own: one that a flow defines passes its edge to its namesake. */
function edgeOfNamesake(
  content: string,
  defined: readonly Choice[],
  { spend }: RunContext,
): string | undefined {
  const wanted = composeText(content)
  const namesake = defined.find(({ title = '' }) => {
    spend(1 + title.length)
    return composeText(title) === wanted
  })
  return namesake?.outgoingEdgeId
}
