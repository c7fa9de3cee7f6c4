import type { Block } from '../../../schemas/blocks/index.ts'
import type { Theme } from '../../../schemas/theme.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import { themeOf } from '../flow-document.ts'
import { wordsOf } from './block-words.ts'

/** A choice by its words, and as answers have it. */
interface OutlineItem {
  readonly id: string
  readonly words: string
  readonly value: string
}

/** A block as somebody reads of it who never sees the definition. */
interface OutlineBlock {
  readonly id: string
  readonly type: string
  readonly group: string
  readonly kind: 'question' | 'message' | 'logic'
  readonly words: string
  /** The name of the variable that receives the answers. */
  readonly variable?: string
  readonly items?: readonly OutlineItem[]
}

/**
 * A flow as readers of its results need it: in words, with nothing of its code, its addresses or what else its visitors
 * never see.
 */
interface FlowOutline {
  readonly publicId: string
  readonly name: string
  /** The hash of the version. */
  readonly version: string
  readonly locales: readonly string[]
  readonly blocks: readonly OutlineBlock[]
  /** Variables that results have, but those that hold answers. */
  readonly variables: readonly string[]
  readonly theme: Theme
}

export function outlineOf(published: PublishedFlow): FlowOutline {
  const { publicId, flow, program } = published
  const names = new Map((flow.variables ?? []).map(({ id, name }) => [id, name]))
  const blocks = flow.groups.flatMap(({ title = '', blocks: inGroup }) => {
    let said = ''
    return inGroup.map((block) => {
      const outlined = outlineBlock(block, { group: title, said, names, program })
      if (outlined.kind === 'message') said = outlined.words || said
      // The next one asks for something else.
      if (outlined.kind === 'question') said = ''
      return outlined
    })
  })
  const answered = new Set(blocks.map(({ variable }) => variable))
  return {
    publicId,
    name: flow.name ?? publicId,
    version: program.hash,
    locales: program.locales,
    blocks,
    variables: (flow.variables ?? [])
      .filter(({ name, isSessionVariable }) => !isSessionVariable && !answered.has(name))
      .map(({ name }) => name),
    theme: themeOf(published),
  }
}

interface Place extends Pick<PublishedFlow, 'program'> {
  readonly group: string
  /** The words that were said before it in its group. */
  readonly said: string
  readonly names: ReadonlyMap<string, string>
}

function outlineBlock(block: Block, { group, said, names, program }: Place): OutlineBlock {
  const { id, type } = block
  const handler = program.blocks.get(id)?.handler
  const kind = handler?.kind === 'input' ? 'question' : handler?.kind === 'bubble' ? 'message' : 'logic'
  const variableId = (block as { options?: { variableId?: string } }).options?.variableId
  const variable = variableId === undefined ? undefined : names.get(variableId)
  const own = wordsOf(block)
  const words =
    kind === 'question' ? (questionIn(said) ?? (own || said || variable || group || type)) : own || type
  const items = itemsOf(block)
  return {
    id,
    type,
    group,
    kind,
    words,
    ...(kind === 'question' && variable !== undefined && { variable }),
    ...(items.length > 0 && { items }),
  }
}

/** The last sentence that asks something. */
function questionIn(said: string): string | undefined {
  return /(?:^|[.!:;…。！?？؟]\s*)([^.!:;…。！?？؟]+[?？؟])[^?？؟]*$/.exec(said)?.[1]?.trim()
}

interface Choice {
  readonly id: string
  readonly content?: unknown
  readonly title?: unknown
  readonly value?: unknown
}

function itemsOf(block: Block): OutlineItem[] {
  if (!/choice input$|^cards$/.test(block.type)) return []
  const { items = [] } = block as { readonly items?: readonly Choice[] }
  return items.map(({ id, content, title, value }) => {
    const words = [content, title, value, id].find(
      (text): text is string => typeof text === 'string' && text !== '',
    )
    return {
      id,
      words: words ?? id,
      value: typeof value === 'string' && value !== '' ? value : (words ?? id),
    }
  })
}
