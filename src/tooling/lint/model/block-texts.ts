import { parseTemplate } from '../../../engine/templates/parse-template.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import type { VariableTable } from '../../../engine/values/variables.ts'
import { escapeToken } from '../../../lib/json-pointer.ts'

/** A text of a block. */
export interface BlockText {
  /** Inside the block. */
  readonly at: string
  /** The key that it stands at, or that of the list it stands in. */
  readonly key: string
  readonly text: string
}

/** Every text of a block, found once. */
export type BlockTexts = readonly BlockText[]

/** Keys of names and of data for editors: no placeholder in them is ever replaced. */
const opaqueKeys = new Set([
  'id',
  'type',
  'outgoingEdgeId',
  'blockId',
  'graphCoordinates',
  'lint',
  'html',
  'plainText',
  'variablesForTest',
  'expressionDescription',
])

/** Levels of a block; a definition has no more. */
const mostLevels = 130

/** Lists the texts of a block in the order of the definition, at any depth. */
export function blockTexts(block: object): BlockTexts {
  const texts: BlockText[] = []
  const visit = (value: unknown, at: string, key: string, level: number): void => {
    if (typeof value === 'string') texts.push({ at, key, text: value })
    if (typeof value !== 'object' || value === null || level > mostLevels) return
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visit(value[index], `${at}/${index}`, key, level + 1)
      return
    }
    for (const name in value) {
      const inside = (value as Record<string, unknown>)[name]
      // Most of what a flow holds is neither a text nor a part with texts.
      if (typeof inside !== 'string' && typeof inside !== 'object') continue
      if (!opaqueKeys.has(name)) visit(inside, `${at}/${escapeToken(name)}`, name, level + 1)
    }
  }
  visit(block, '', '', 0)
  return texts
}

/** The names that a text refers to, those inside its code included. */
export function namesIn(template: TextTemplate): string[] {
  return template.parts.flatMap((part) => {
    if (typeof part === 'string') return []
    return part.kind === 'variable' ? [part.ref.name] : namesIn(part.code.template)
  })
}

/** Cuts a text at its placeholders; undefined for one that has none. */
export function templateOf(text: string, variables: VariableTable): TextTemplate | undefined {
  return text.includes('{{') ? parseTemplate(text, variables) : undefined
}
