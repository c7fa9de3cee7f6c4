import { getLocation } from 'jsonc-parser'
import type { OwnBlock } from '../../own-blocks/load-blocks.ts'
import { blockTypeAt } from './complete.ts'
import { meaningAt, type NamesOfText } from './occurrence.ts'
import { blockTypeInYaml } from './yaml-names.ts'

/** Tells what a type of block does. */
type DescribeBlock = (type: string) => string | undefined

interface HoverContext {
  readonly names: NamesOfText
  readonly describeBlock: DescribeBlock
}

/** Markdown about what stands at an offset of the JSON of a flow: a name, or the type of a block. */
export function hoverJson(
  text: string,
  offset: number,
  { names, describeBlock }: HoverContext,
): string | undefined {
  const { path } = getLocation(text, offset)
  if (path.length === 5 && path[4] === 'type') return describeBlock(blockTypeAt(text, path))
  return hoverName(names, names, offset)
}

/** The same of a flow in YAML: a name, else the block that the offset lies in. */
export function hoverYaml(
  text: string,
  offset: number,
  { names, describeBlock }: HoverContext,
): string | undefined {
  return hoverName(names, names, offset) ?? describeBlock(blockTypeInYaml(text, offset) ?? '')
}

/** Markdown about a name. */
export function hoverName(names: NamesOfText, ofFlow: NamesOfText, offset: number): string | undefined {
  const { meant } = meaningAt(names, ofFlow, offset) ?? {}
  if (!meant) return undefined
  const { kind, id, name = id } = meant
  const uses = ofFlow.occurrences.filter(
    (one) => !one.isDeclaration && one.kind === kind && one.called === (one.by === 'id' ? id : meant.name),
  )
  return `**${kind} ${name}**${name === id ? '' : ` (\`${id}\`)`}, named ${uses.length} times in this flow`
}

/** The descriptions of blocks in the table of docs/blocks.md, and those of own blocks, by their types. */
export function blockDescriptions(page: string, own: readonly OwnBlock[] = []): DescribeBlock {
  const rows = page.matchAll(/^\| `([^`]+)` \| ([^|]+) \|.*\| \[([^\]]+)\]\(([^)]+)\) \|$/gm)
  const described = new Map<string, string>()
  for (const [, type = '', here = '', title = '', place = ''] of rows)
    described.set(type, `**${type}**: ${here}\n\n${title}: docs/${place}`)
  for (const { path, block } of own)
    described.set(block.type, `**${block.type}**: ${block.description ?? block.kind}\n\n${path}`)
  return (type) => described.get(type)
}
