import { AudioBubbleBlock } from '../../../../../schemas/blocks/bubbles/audio-bubble.ts'
import { EmbedBubbleBlock } from '../../../../../schemas/blocks/bubbles/embed-bubble.ts'
import { ImageBubbleBlock } from '../../../../../schemas/blocks/bubbles/image-bubble.ts'
import { TextBubbleBlock } from '../../../../../schemas/blocks/bubbles/text-bubble.ts'
import { VideoBubbleBlock } from '../../../../../schemas/blocks/bubbles/video-bubble.ts'
import { CardsInputBlock } from '../../../../../schemas/blocks/inputs/cards-input.ts'
import { PictureChoiceInputBlock } from '../../../../../schemas/blocks/inputs/picture-choice-input.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { isSafeAddress } from '../../../../engine/templates/url-policy.ts'
import type { BlockText } from '../../model/block-texts.ts'
import { defineRule } from '../../rule.ts'

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

/** Addresses that are emptied when they are shown. */
export const unsafeAddress = defineRule({
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
