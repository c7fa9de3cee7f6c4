import {
  AudioBubbleBlock,
  EmbedBubbleBlock,
  ImageBubbleBlock,
  TextBubbleBlock,
  VideoBubbleBlock,
} from '../../../../../schemas/blocks/bubbles.ts'
import type { Block } from '../../../../../schemas/blocks/index.ts'
import { CardsInputBlock, PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/choices.ts'
import { isOf, tagsOf } from '../../../../../schemas/tagged-union.ts'
import { isSafeAddress } from '../../../../engine/templates/url-policy.ts'
import type { BlockText } from '../../model/block-texts.ts'
import { defineRule, type Rule } from '../../rule.ts'

const emptyBubble = defineRule({
  code: 'empty-bubble',
  severity: 'warning',
  title: 'A bubble without content',
  remedy: 'Give it something to show, or delete it.',
  description:
    'A text bubble without a text, or a picture, video, sound or page without an address: clients show an empty bubble, or a broken one. Fill it, or delete it.',
  checkBlock({ block, kind, pointer }, { report }) {
    if (kind !== 'bubble') return
    const isEmpty = isOf(block, TextBubbleBlock) ? !hasWords(block.content) : !addressOf(block)
    if (isEmpty) report({ pointer, message: `This ${block.type} bubble shows nothing.` })
  },
})

function addressOf(block: Block): string | undefined {
  const { content } = block as { content?: { url?: string; id?: string } }
  return content?.url?.trim() || content?.id
}

function hasWords(content: TextBubbleBlock['content'] = {}): boolean {
  if (typeof content === 'string') return content.trim() !== ''
  return content.richText ? hasText(content.richText) : Boolean(content.markdown?.trim())
}

/** Whether there is a text, or a picture, anywhere in rich text. */
function hasText(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null || level > 130) return false
  if (Array.isArray(value)) return value.some((inside) => hasText(inside, level + 1))
  const { text, url, children } = value as { text?: unknown; url?: unknown; children?: unknown }
  if (typeof text === 'string' && text.trim() !== '') return true
  return (typeof url === 'string' && url !== '') || hasText(children, level + 1)
}

/** Keys of addresses that are checked when they are shown, by what a client does with them. */
const uses: Readonly<Record<string, 'link' | 'media'>> = {
  url: 'link',
  pictureSrc: 'media',
  imageUrl: 'media',
}

const mediaTypes = new Set([ImageBubbleBlock, AudioBubbleBlock, VideoBubbleBlock].flatMap(tagsOf))

const shownTypes = [
  ...[...mediaTypes, ...[TextBubbleBlock, EmbedBubbleBlock].flatMap(tagsOf)],
  ...[PictureChoiceInputBlock, CardsInputBlock].flatMap(tagsOf),
]

const unsafeAddress = defineRule({
  code: 'unsafe-address',
  severity: 'error',
  title: 'An address that is never shown',
  description:
    'The address has a scheme that is not let through (`javascript:`, `data:text/html`, `file:` and others): it is emptied at run time, with an error log. Use an address of the web. Addresses that begin with a placeholder are not checked.',
  blockTypes: shownTypes,
  checkBlock({ block, pointer, texts }, { report }) {
    for (const text of texts) {
      const use = useOf(text, block.type)
      // A placeholder may become any scheme, but a scheme before it stays.
      const address = text.text.split('{{', 1)[0] ?? ''
      if (use === undefined || isSafeAddress(address, use)) continue
      report({
        pointer: pointer + text.at,
        message: 'This address is left out: clients may not open what it leads to.',
      })
    }
  },
})

function useOf({ key, at }: BlockText, type: string): 'link' | 'media' | undefined {
  if (key === 'url' && at === '/content/url' && mediaTypes.has(type)) return 'media'
  return Object.hasOwn(uses, key) ? uses[key] : undefined
}

const missingAlt = defineRule({
  code: 'missing-alt',
  severity: 'info',
  title: 'A picture that leads somewhere, or a choice, without words',
  description:
    'A picture with a link, or a picture to choose, has no text: whoever can not see it does not know what it leads to, and the answer has no words. Write an alternative text, a title or a value.',
  blockTypes: [ImageBubbleBlock, PictureChoiceInputBlock].flatMap(tagsOf),
  checkBlock({ block, pointer }, { report }) {
    if (isOf(block, ImageBubbleBlock)) {
      const { clickLink } = block.content ?? {}
      if (!clickLink?.url || clickLink.alt) return
      report({
        pointer: `${pointer}/content/clickLink`,
        message: 'This picture is a link without an alternative text.',
      })
    }
    if (!isOf(block, PictureChoiceInputBlock) || block.options?.dynamicItems?.isEnabled === true) return
    for (const [index, { title, description, value }] of block.items.entries()) {
      if (title || description || value) continue
      report({
        pointer: `${pointer}/items/${index}`,
        message: 'This picture has no title, description or value.',
      })
    }
  },
})

/** Rules about bubbles without content, addresses that are never shown, and pictures without words. */
export const mediaRules: readonly Rule[] = [emptyBubble, unsafeAddress, missingAlt]
