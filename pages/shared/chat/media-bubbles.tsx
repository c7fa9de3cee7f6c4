import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/speak.ts'
import { isCalm } from './chat-model.ts'
import type { ContentOf } from './entry.ts'
import { mediaClass } from './picture.tsx'
import { safeFrame, safeMedia } from './safe-address.ts'

const players: Readonly<Record<string, (id: string) => string>> = {
  youtube: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  vimeo: (id) => `https://player.vimeo.com/video/${id}`,
  tiktok: (id) => `https://www.tiktok.com/embed/v2/${id}`,
  gumlet: (id) => `https://play.gumlet.io/embed/${id}`,
}

/** A film, in the player of who keeps it where it is not a file. */
export function Video(content: ContentOf<'video'>) {
  const { type, id, url, aspectRatio, maxWidth, queryParamsStr = '' } = content
  const height = `${content.height ?? 400}px`
  const style = { maxWidth: maxWidth ?? '100%', ...(aspectRatio ? { aspectRatio } : { height }) }
  const player = players[type ?? '']
  if (player && id) {
    const address = safeFrame(player(encodeURIComponent(id)) + queryParamsStr)
    return (
      <iframe
        class={mediaClass}
        style={style}
        src={address}
        title={words.value.video}
        allow="fullscreen; encrypted-media"
      />
    )
  }
  const { areControlsDisplayed = true, isAutoplayEnabled = true } = content
  const { isPlaying, toggle, ...events } = usePlaying()
  const isByItself = isAutoplayEnabled && !isCalm()
  return (
    <div class="player" style={{ maxWidth: style.maxWidth }}>
      <video
        {...events}
        class={mediaClass}
        style={style}
        src={safeMedia(url)}
        controls={areControlsDisplayed}
        autoplay={isByItself}
        muted={isByItself}
        playsInline
      />
      {!areControlsDisplayed && (
        <button
          type="button"
          class="play"
          data-on={isPlaying}
          aria-label={isPlaying ? words.value.pause : words.value.play}
          onClick={() => toggle(false)}
        />
      )}
    </div>
  )
}

/** The film behind a conversation, and the button that has it stand still. */
export function Backdrop({ src }: { readonly src: string }) {
  const { isPlaying, toggle, ...events } = usePlaying()
  const { pause, play, video } = words.value
  return (
    <>
      <video
        {...events}
        class="backdrop"
        src={src}
        autoplay={!isCalm()}
        muted
        loop
        playsInline
        tabIndex={-1}
      />
      <button
        type="button"
        class="play"
        data-on={isPlaying}
        aria-label={`${video}: ${isPlaying ? pause : play}`}
        onClick={() => toggle(true)}
      />
    </>
  )
}

/** A film, whether it plays, and what has it go on or stand still. */
function usePlaying() {
  const ref = useRef<HTMLVideoElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  return {
    ref,
    isPlaying,
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    toggle(isMuted: boolean) {
      if (!ref.current) return
      if (isPlaying) return ref.current.pause()
      ref.current.muted = isMuted
      void ref.current.play()
    },
  }
}

/** A recording. */
export function Sound({ url, isAutoplayEnabled = true }: ContentOf<'audio'>) {
  // Sound by itself is for who takes part already: browsers refuse it to others, and a reload need not repeat it.
  const [autoplay] = useState(isAutoplayEnabled && navigator.userActivation?.hasBeenActive)
  // biome-ignore lint/a11y/useMediaCaption: flows have no captions to give
  return <audio class={mediaClass} src={safeMedia(url)} controls autoplay={autoplay} />
}

interface EmbedProps {
  readonly content: ContentOf<'embed'>
  /** Sends what that page has said. */
  readonly onEvent: (data: string | undefined) => void
}

/** A page in a frame, which the flow may wait for. */
export function Embed({ content: { url, height = 400, waitForEvent }, onEvent }: EmbedProps) {
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
  if (address === undefined) return <span class={`missing ${mediaClass}`}>{words.value.notShown}</span>
  return (
    <iframe
      ref={frame}
      class={mediaClass}
      style={{ height: `${height}px` }}
      src={address}
      title={words.value.embeddedPage}
    />
  )
}

const textOf = (data: unknown) => (typeof data === 'string' ? data : JSON.stringify(data))
