import type { TObject } from '@sinclair/typebox'
import type { Message } from '../../../schemas/message.ts'
import { type AnyBlock, type BlockHandler, defineBlock } from '../../engine/model/block-handler.ts'
import type { AddressUse } from '../../engine/templates/url-policy.ts'
import { pickListed } from './listed-content.ts'
import { type ShowBubble, showMessage, showNothing } from './message-step.ts'

/** Media that is shown as its author filled it in, under an address. */
interface MediaBlock extends AnyBlock {
  readonly type: 'image' | 'audio'
  readonly content?: object
}

const addresses = new Map([
  ['/url', 'media'],
  ['/clickLink/url', 'link'],
] as const) as ReadonlyMap<string, AddressUse>

const addressAt = (pointer: string) => addresses.get(pointer)

/** A bubble whose message is its content, with the values of variables. */
export function mediaBubble(type: MediaBlock['type'], content: TObject): BlockHandler {
  return defineBlock<MediaBlock, ShowBubble>({
    types: [type],
    kind: 'bubble',
    compile(block, context) {
      if (!block.content) return showNothing
      const known = pickListed(content, block.content)
      const template = context.json(known, '/content', addressAt)
      return showMessage(
        template.constant !== undefined,
        ({ render }) => ({ id: block.id, type, content: render(template).value }) as Message,
      )
    },
    run: (show, context) => show(context),
    isPassThrough: () => true,
    marks: { changesNothing: true },
    transcriptLine: (message) => message.content.url,
  })
}
