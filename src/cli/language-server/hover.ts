import { getLocation } from 'jsonc-parser'
import { blockTypeAt } from './complete.ts'
import { meaningAt, type Names } from './occurrence.ts'

/** Tells what a type of block does. */
type DescribeBlock = (type: string) => string | undefined

/** Markdown about what stands at an offset of the JSON of a flow: a name, or the type of a block. */
export function hoverJson(
  text: string,
  offset: number,
  { names, describeBlock }: { readonly names: Names; readonly describeBlock: DescribeBlock },
): string | undefined {
  const { path } = getLocation(text, offset)
  if (path.length === 5 && path[4] === 'type') return describeBlock(blockTypeAt(text, path))
  return hoverName(names, names, offset)
}

/** Markdown about a name. */
export function hoverName(names: Names, ofFlow: Names, offset: number): string | undefined {
  const { meant } = meaningAt(names, ofFlow, offset) ?? {}
  if (!meant) return undefined
  const { kind, id, name = id } = meant
  const uses = ofFlow.occurrences.filter(
    (one) => !one.isDeclaration && one.kind === kind && one.called === (one.by === 'id' ? id : meant.name),
  )
  return `**${kind} ${name}**${name === id ? '' : ` (\`${id}\`)`}, named ${uses.length} times in this flow`
}

/** The descriptions of blocks in the table of docs/blocks.md, by their types. */
export function blockDescriptions(page: string): DescribeBlock {
  const rows = page.matchAll(/^\| `([^`]+)` \| ([^|]+) \|.*\| \[([^\]]+)\]\(([^)]+)\) \|$/gm)
  const described = new Map<string, string>()
  for (const [, type = '', here = '', title = '', place = ''] of rows)
    described.set(type, `**${type}**: ${here}\n\n${title}: docs/${place}`)
  return (type) => described.get(type)
}
