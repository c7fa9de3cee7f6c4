import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Message } from '../../../client/client.ts'
import { words } from '../words/speak.ts'
import { isCalm } from './chat-model.ts'
import { Picture } from './picture.tsx'
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
        <div class="bubble host typebot-host-bubble bubble-typing" data-testid="host-bubble" dir="auto">
          <RichText nodes={message.content.richText} />
        </div>
      ) : (
        <div class="bubble host typebot-host-bubble bubble-typing plain" data-testid="host-bubble" dir="auto">
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

const media = 'media typebot-host-bubble'

function Image({ url, clickLink }: Of<'image'>) {
  const picture = <Picture class={media} src={url} alt={clickLink?.alt ?? words.value.picture} />
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
      <iframe
        class={media}
        style={style}
        src={address}
        title={words.value.video}
        allow="fullscreen; encrypted-media"
      />
    )
  }
  const { areControlsDisplayed = true, isAutoplayEnabled = true } = content
  const video = useRef<HTMLVideoElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const isByItself = isAutoplayEnabled && !isCalm()
  const toggle = () => {
    if (!video.current) return
    if (isPlaying) return video.current.pause()
    video.current.muted = false
    void video.current.play()
  }
  return (
    <div class="player" style={{ maxWidth: style.maxWidth }}>
      <video
        ref={video}
        class={media}
        style={style}
        src={safeMedia(url)}
        controls={areControlsDisplayed}
        autoplay={isByItself}
        muted={isByItself}
        playsInline
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      {!areControlsDisplayed && (
        <button
          type="button"
          class="play"
          data-on={isPlaying}
          aria-label={isPlaying ? words.value.pause : words.value.play}
          onClick={toggle}
        />
      )}
    </div>
  )
}

function Sound({ url, isAutoplayEnabled = true }: Of<'audio'>) {
  // Sound by itself is for who takes part already: browsers refuse it to others, and a reload need not repeat it.
  const [autoplay] = useState(isAutoplayEnabled && navigator.userActivation?.hasBeenActive)
  // biome-ignore lint/a11y/useMediaCaption: flows have no captions to give
  return <audio class={media} src={safeMedia(url)} controls autoplay={autoplay} />
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
  const address = safeFrame(url)
  if (address === undefined) return <span class={`missing ${media}`}>{words.value.notShown}</span>
  return (
    <iframe
      ref={frame}
      class={media}
      style={{ height: `${height}px` }}
      src={address}
      title={words.value.embeddedPage}
    />
  )
}

const textOf = (data: unknown) => (typeof data === 'string' ? data : JSON.stringify(data))
