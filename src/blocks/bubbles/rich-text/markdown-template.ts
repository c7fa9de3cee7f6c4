import { readMarkdown } from './from-markdown.ts'
import type { Node } from './nodes.ts'

const placeholder = /\{\{=.*?=\}\}|\{\{.+?\}\}/g

/** Characters for private use, which are as letters to markdown; a text that has them itself keeps them. */
const standIn = /\uE000(\d+)\uE001/g

/** Reads a text of an author as CommonMark, with its placeholders as they are written: nothing in them is markup. */
export function readMarkdownTemplate(text: string): Node[] {
  const placeholders: string[] = []
  const masked = text.replace(placeholder, (found) => `\uE000${placeholders.push(found) - 1}\uE001`)
  const unmask = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(standIn, (whole, index) => placeholders[index] ?? whole)
    if (Array.isArray(value)) return value.map(unmask)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, unmask(inside)]))
  }
  return unmask(readMarkdown(masked)) as Node[]
}
