import { TextBubbleBlock } from '../../../../../schemas/blocks/bubbles/text-bubble.ts'
import type { Block } from '../../../../../schemas/blocks/index.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import { defineRule } from '../../rule.ts'

/** Bubbles that show nothing. */
export const emptyBubble = defineRule({
  code: 'empty-bubble',
  severity: 'warning',
  title: 'A bubble without content',
  description:
    'A text bubble without a text, or a picture, video, sound or page without an address: clients show an empty bubble, or a broken one. Fill it, or delete it.',
  checkBlock({ block, kind, pointer }, { report }) {
    if (kind !== 'bubble') return
    const isEmpty = isOf(block, TextBubbleBlock) ? !hasText(block.content?.richText) : !addressOf(block)
    if (isEmpty) report({ pointer, message: `This ${block.type} bubble shows nothing.` })
  },
})

function addressOf(block: Block): string | undefined {
  const { content } = block as { content?: { url?: string; id?: string } }
  return content?.url?.trim() || content?.id
}

/** Whether there is a text, or a picture, anywhere in rich text. */
function hasText(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null || level > 130) return false
  if (Array.isArray(value)) return value.some((inside) => hasText(inside, level + 1))
  const { text, url, children } = value as { text?: unknown; url?: unknown; children?: unknown }
  if (typeof text === 'string' && text.trim() !== '') return true
  return (typeof url === 'string' && url !== '') || hasText(children, level + 1)
}
