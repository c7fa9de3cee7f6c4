import { useState } from 'preact/hooks'
import { safeMedia } from './safe-address.ts'

/** Classes of bubbles that are no text. */
export const mediaClass = 'media typebot-host-bubble'

interface PictureProps {
  readonly src: string | undefined
  /** Empty where the words beside the picture say it already. */
  readonly alt: string
  readonly class?: string
}

/** A picture; its alternative text, where it can not be had. */
export function Picture({ src, alt, ...rest }: PictureProps) {
  const [failed, setFailed] = useState<string>()
  const address = safeMedia(src, true)
  if (address !== undefined && failed !== address)
    return <img {...rest} src={address} alt={alt} onError={() => setFailed(address)} />
  return alt === '' ? null : (
    <span {...rest} class={`missing ${rest.class ?? ''}`} dir="auto">
      {alt}
    </span>
  )
}
