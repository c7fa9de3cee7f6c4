import { type ComponentChildren, h } from 'preact'
import { safeLink } from '../../shared/chat/safe-address.ts'
import type { Entity } from './read-marks.ts'

const elements: Readonly<Record<string, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'code',
  blockquote: 'q',
}

/** A text in pieces, each with the looks of all ranges that it lies in. */
export function StyledWords({
  text,
  entities = [],
}: {
  readonly text: string
  readonly entities?: readonly Entity[]
}) {
  const ends = entities.flatMap(({ offset, length }) => [offset, offset + length])
  const cuts = [...new Set([0, ...ends, text.length])].sort((one, other) => one - other)
  return (
    <span class="words" dir="auto">
      {cuts.slice(0, -1).map((start, index) => {
        const within = entities.filter(({ offset, length }) => offset <= start && start < offset + length)
        const dress = (inner: ComponentChildren, { type, url }: Entity) => {
          const Look = elements[type]
          const address = type === 'text_link' ? safeLink(url) : undefined
          if (address !== undefined)
            return (
              <a href={address} target="_blank" rel="noopener noreferrer">
                {inner}
              </a>
            )
          return Look === undefined ? inner : h(Look, null, inner)
        }
        return (
          <span key={start}>
            {within.reduce<ComponentChildren>(dress, text.slice(start, cuts[index + 1]))}
          </span>
        )
      })}
    </span>
  )
}
