import { type ComponentChildren, h } from 'preact'
import { safeLink } from '../../shared/chat/safe-address.ts'

/** A range of a text with a look, as Telegram names them. */
export interface Entity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
}

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

const looksOfSigns: Readonly<Record<string, string>> = {
  '*': 'bold',
  _: 'italic',
  '~': 'strikethrough',
  '`': 'code',
}

const marked = /```([\s\S]+?)```|^> (.*)$|(?<![\p{L}\p{N}])([*_~`])(?=\S)(.*?\S)\3(?![\p{L}\p{N}])/mu

/** The text and looks of a text with WhatsApp's marks, as its apps read them. */
export function readMarks(source: string): { text: string; entities: Entity[] } {
  const found = marked.exec(source)
  if (!found) return { text: source, entities: [] }
  const [whole, code, quote, sign, content] = found
  const inner = code === undefined ? readMarks(quote ?? content ?? '') : { text: code, entities: [] }
  const rest = readMarks(source.slice(found.index + whole.length))
  const type =
    code === undefined ? (quote === undefined ? (looksOfSigns[sign ?? ''] ?? '') : 'blockquote') : 'pre'
  const moved = (entities: readonly Entity[], by: number) =>
    entities.map((entity) => ({ ...entity, offset: entity.offset + by }))
  return {
    text: source.slice(0, found.index) + inner.text + rest.text,
    entities: [
      ...moved(inner.entities, found.index),
      { type, offset: found.index, length: inner.text.length },
      ...moved(rest.entities, found.index + inner.text.length),
    ],
  }
}
