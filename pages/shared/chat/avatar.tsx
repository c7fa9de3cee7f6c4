import { useState } from 'preact/hooks'
import { safeMedia } from './safe-address.ts'

interface AvatarProps {
  /** Address of a picture, or an emoji. */
  readonly url: string | undefined
  /** Name whose first letter stands where there is no picture; without it nothing does. */
  readonly name?: string | undefined
}

/** A picture, an emoji or a letter. A picture that can not be had leaves its room, and no mark of a broken one. */
export function Avatar({ url, name = '' }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const isPicture = url !== undefined && /^(?:https?:|data:|\/)/i.test(url)
  return (
    <span class="avatar typebot-avatar-container" aria-hidden="true">
      {isPicture && failed !== url ? (
        <img src={safeMedia(url, true)} alt="" onError={() => setFailed(url)} />
      ) : (
        (!isPicture && url) || [...name.trim()][0]?.toUpperCase()
      )}
    </span>
  )
}
