import type { TextBubbleBlock } from '../../../schemas/blocks/bubbles.ts'
import type { Block } from '../../../schemas/blocks/index.ts'
import { isInputType, shapeOf } from '../../definition/yaml-form/block-shapes.ts'
import type { Branch } from './find-branches.ts'
import { writeAnyBlock, writeInShort } from './step-writers.ts'
import { writeInput } from './write-input.ts'
import { mergeSets } from './write-set.ts'
import { writeText } from './write-text.ts'
import { hasOnly, type Loose, stepFields, type Writing } from './writing.ts'

/** The blocks of a group as steps, or as those of a branch. */
export function writeSteps(given: readonly Block[], writing: Writing, branch?: Branch): unknown[] {
  const blocks = given.map(withoutLeftovers)
  const last = blocks.at(-1) as (Block & Loose) | undefined
  const { outgoingEdgeId, ...open } = last ?? {}
  if (outgoingEdgeId !== undefined && outgoingEdgeId === branch?.rejoins)
    blocks[blocks.length - 1] = open as Block
  const steps: unknown[] = []
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Block
    const asked = writeQuestion(block, blocks[index + 1], writing)
    if (asked) index++
    const step = asked ?? writeStep(block, writing)
    const last = steps.at(-1)
    const merged = mergeSets(last, step)
    if (merged) steps[steps.length - 1] = merged
    else steps.push(step)
  }
  const isEnd = branch?.hasBelow === true && outgoingEdgeId === undefined && !leaves(steps.at(-1))
  return isEnd ? [...steps, { end: null }] : closeLast(steps)
}

/** Behind such a step nothing comes. */
const leaves = (step: unknown) => ['jump', 'return'].some((key) => Object.hasOwn(Object(step), key))

const blockKeys = new Set('id type outgoingEdgeId lint content options items webhookId label'.split(' '))

/** Editors leave keys in blocks that nothing reads; what a block of an unknown type has may mean something elsewhere. */
function withoutLeftovers(block: Block): Block {
  const kept = Object.entries(block).filter(([key]) => blockKeys.has(key) || !shapeOf(block.type))
  return Object.fromEntries(kept) as Block
}

/** A text bubble with the input behind it, as one step. */
function writeQuestion(block: Block, next: Block | undefined, writing: Writing): Loose | undefined {
  if (block.type !== 'text' || !next || !isInputType(next.type)) return undefined
  if ([block, next].some((part) => leavesByRawEdge(part as Block & Loose, writing))) return undefined
  const fields = stepFields(block as Loose & Block, writing)
  const text = markdownOf(block as TextBubbleBlock, writing)
  const input = writeInput(next as Block & Loose, writing)
  if (Object.keys(fields).length > 0 || text === undefined || !input) return undefined
  const { as: kind, ...rest } = input
  const isTold = kind === 'text' || (kind === 'choice' && 'choices' in rest)
  return { ask: text, ...(!isTold && { as: kind }), ...rest }
}

function markdownOf({ id, content }: TextBubbleBlock, { ids }: Writing): string | undefined {
  if (ids.isTranslated(id)) return undefined
  const text = writeText(content)
  return text && 'markdown' in text && text.markdown !== '' ? text.markdown : undefined
}

function writeStep(block: Block, writing: Writing): unknown {
  const given = block as Block & Loose
  if (leavesByRawEdge(given, writing)) return writeAnyBlock(given, writing)
  if (block.type === 'text') return writeTextStep(block as TextBubbleBlock, writing)
  const input = isInputType(block.type) ? writeInput(given, writing) : undefined
  return input ?? writeInShort(given, writing) ?? writeAnyBlock(given, writing)
}

/** Only blocks as in JSON name an edge. */
function leavesByRawEdge(part: Loose, writing: Writing): boolean {
  const { outgoingEdgeId, items, paths } = part as {
    outgoingEdgeId?: string
    items?: unknown
    paths?: unknown
  }
  if (writing.ways.isRaw(outgoingEdgeId)) return true
  return [items, paths].some(
    (list) => Array.isArray(list) && list.some((item) => leavesByRawEdge(Object(item), writing)),
  )
}

/** Translations name a text by its place, which stays as it is. */
function writeTextStep(block: TextBubbleBlock, writing: Writing): unknown {
  const { id, content } = block
  const fields = stepFields(block as TextBubbleBlock & Loose, writing)
  if (content === undefined) return { type: 'text', ...fields }
  const written = writing.ids.isTranslated(id) ? undefined : writeText(content)
  if (written === undefined) return asItIs(content, fields)
  if ('richText' in written) return { text: { richText: written.richText }, ...fields }
  if ('plain' in written) return { text: written.plain, ...fields }
  return Object.keys(fields).length === 0 ? written.markdown : { say: written.markdown, ...fields }
}

function asItIs(content: NonNullable<TextBubbleBlock['content']>, fields: Loose): Loose {
  if (typeof content === 'string') return { text: content, ...fields }
  if (content.richText) return { text: { richText: content.richText }, ...fields }
  if (content.markdown !== undefined) return { say: content.markdown, ...fields }
  return { type: 'text', content: {}, ...fields }
}

/** The way of the last step stands below it. */
function closeLast(steps: unknown[]): unknown[] {
  const last = steps.at(-1)
  if (typeof last !== 'object' || last === null || leaves(last)) return steps
  // The way of a condition is that of what it holds for.
  const key = 'if' in last || 'cases' in last ? 'else' : 'to'
  const { [key]: way, ...step } = last as Loose
  if (typeof way !== 'string') return steps
  const isText = 'say' in step && hasOnly(step, ['say'])
  return [...steps.slice(0, -1), isText ? step['say'] : step, { go: way }]
}
