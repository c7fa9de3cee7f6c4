import { asList, asName, asRecord, asText, type LooseJson } from './loose-json.ts'

/** Levels of rich text that are looked through; the service takes no deeper ones. */
const deepest = 130

/** The first words of what a block says, else its type; of a definition of which nothing is certain. */
export function labelOf({ type, content, options }: LooseJson): string {
  const { richText, markdown, url } = asRecord(content)
  const words = (asText(content) ?? asText(markdown) ?? textIn(richText, 0)).replace(/\s+/g, ' ').trim()
  const placeholder = asText(asRecord(asRecord(options)['labels'])['placeholder'])
  const said = words || asText(url) || placeholder
  if (!said) return asName(type)
  return said.length > 42 ? `${said.slice(0, 41)}…` : said
}

function textIn(nodes: unknown, level: number): string {
  if (level > deepest) return ''
  return asList(nodes)
    .map(asRecord)
    .map(
      ({ text, type, children }) =>
        asText(text) ?? `${textIn(children, level + 1)}${type === 'a' ? '' : ' '}`,
    )
    .join('')
}
