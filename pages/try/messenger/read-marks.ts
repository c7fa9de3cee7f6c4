/** A range of a text with a look, as Telegram names them. */
export interface Entity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
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
