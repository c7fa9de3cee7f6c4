import type { ComponentChildren } from 'preact'
import type { Message } from '../../../client/client.ts'
import { lazy } from '../lazy.tsx'
import { words } from '../words/speak.ts'
import type { ContentOf } from './entry.ts'
import { mediaClass, Picture } from './picture.tsx'
import { RichText } from './rich-text.tsx'
import { safeLink } from './safe-address.ts'

const Video = lazy(async () => (await import('./media-bubbles.tsx')).Video)
const Sound = lazy(async () => (await import('./media-bubbles.tsx')).Sound)
const Embed = lazy(async () => (await import('./media-bubbles.tsx')).Embed)

interface BubbleProps {
  readonly message: Message
  /** Sends what a page in a frame has said. */
  readonly onEvent: (data: string | undefined) => void
}

/** A message of the flow. */
export function Bubble({ message, onEvent }: BubbleProps): ComponentChildren {
  switch (message.type) {
    case 'text':
      return message.content.type === 'richText' ? (
        <div class="bubble host typebot-host-bubble bubble-typing" data-testid="host-bubble" dir="auto">
          <Sender {...message.sender} />
          <RichText nodes={message.content.richText} />
        </div>
      ) : (
        <div class="bubble host typebot-host-bubble bubble-typing plain" data-testid="host-bubble" dir="auto">
          <Sender {...message.sender} />
          {message.content.markdown}
        </div>
      )
    case 'image':
      return <Image {...message.content} />
    case 'video':
      return <Video {...message.content} />
    case 'audio':
      return <Sound {...message.content} />
    case 'embed':
      return <Embed content={message.content} onEvent={onEvent} />
    default:
      return <p class="note">{words.value.unknownMessage}</p>
  }
}

/** The person who wrote it, where none of the flow did. */
function Sender({ name }: { readonly name?: string }) {
  return name ? <b class="sender">{name}</b> : null
}

function Image({ url, clickLink }: ContentOf<'image'>) {
  const picture = <Picture class={mediaClass} src={url} alt={clickLink?.alt ?? words.value.picture} />
  const href = safeLink(clickLink?.url)
  if (href === undefined) return picture
  return (
    <a class="media-link" href={href} target="_blank" rel="noopener noreferrer">
      {picture}
    </a>
  )
}
