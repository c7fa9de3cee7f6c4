import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../client/client.ts'
import { RichText } from './rich-text.tsx'
import { safeFrame, safeLink, safeMedia } from './safe-address.ts'

type Of<Type extends Message['type']> = Extract<Message, { type: Type }>['content']

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
        <div class="bubble host">
          <RichText nodes={message.content.richText} />
        </div>
      ) : (
        <div class="bubble host plain">{message.content.markdown}</div>
      )
    case 'image':
      return <Picture {...message.content} />
    case 'video':
      return <Video {...message.content} />
    case 'audio':
      return <Sound {...message.content} />
    case 'embed':
      return <Embed content={message.content} onEvent={onEvent} />
    default:
      return <p class="note">This page does not show a message of this kind.</p>
  }
}

function Picture({ url, clickLink }: Of<'image'>) {
  const picture = <img class="media" src={safeMedia(url, true)} alt={clickLink?.alt ?? 'Picture'} />
  const href = safeLink(clickLink?.url)
  if (href === undefined) return picture
  return (
    <a class="media-link" href={href} target="_blank" rel="noopener noreferrer">
      {picture}
    </a>
  )
}

const players: Readonly<Record<string, (id: string) => string>> = {
  youtube: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  vimeo: (id) => `https://player.vimeo.com/video/${id}`,
  tiktok: (id) => `https://www.tiktok.com/embed/v2/${id}`,
  gumlet: (id) => `https://play.gumlet.io/embed/${id}`,
}

function Video(content: Of<'video'>) {
  const { type, id, url, aspectRatio, maxWidth, queryParamsStr = '' } = content
  const height = `${content.height ?? 400}px`
  const style = { maxWidth: maxWidth ?? '100%', ...(aspectRatio ? { aspectRatio } : { height }) }
  const player = players[type ?? '']
  if (player && id) {
    const address = safeFrame(player(encodeURIComponent(id)) + queryParamsStr)
    return (
      <iframe class="media" style={style} src={address} title="Video" allow="fullscreen; encrypted-media" />
    )
  }
  const { areControlsDisplayed = true } = content
  return (
    // biome-ignore lint/a11y/useMediaCaption: flows have no captions to give
    <video class="media" style={style} src={safeMedia(url)} controls={areControlsDisplayed} playsInline />
  )
}

function Sound({ url }: Of<'audio'>) {
  // biome-ignore lint/a11y/useMediaCaption: flows have no captions to give
  return <audio class="media" src={safeMedia(url)} controls />
}

interface EmbedProps {
  readonly content: Of<'embed'>
  readonly onEvent: BubbleProps['onEvent']
}

function Embed({ content: { url, height = 400, waitForEvent }, onEvent }: EmbedProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const name = waitForEvent?.isEnabled ? waitForEvent.name : undefined
  useEffect(() => {
    if (name === undefined) return undefined
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || data?.name !== name) return
      onEvent(data.data === undefined ? undefined : textOf(data.data))
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [name])
  return (
    <iframe
      ref={frame}
      class="media"
      style={{ height: `${height}px` }}
      src={safeFrame(url)}
      title="Embedded page"
    />
  )
}

const textOf = (data: unknown) => (typeof data === 'string' ? data : JSON.stringify(data))
