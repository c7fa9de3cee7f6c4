import type { Scope } from '../../../engine/model/scope.ts'
import {
  inlineCodeText,
  type Placeholder,
  renderInlineCode,
  type TextTemplate,
} from '../../../engine/templates/text-template.ts'
import { safeAddress } from '../../../engine/templates/url-policy.ts'
import { valueToText } from '../../../engine/values/value.ts'
import { readMarkdown } from './from-markdown.ts'
import { addressUseOf, type Element, type Leaf, type Node, paragraph } from './nodes.ts'
import { createReadingBudget, isPlain } from './reading-cost.ts'

/** Length of a value that is a line of text, without the text. */
const lineLength = JSON.stringify([paragraph([{ text: '' }])]).length

/** The values that one rich text is filled in with. A text that comes again is not read again. */
export class RichValues {
  readonly #scope: Scope
  readonly #isLegacy: boolean
  readonly #budget = createReadingBudget()
  readonly #read = new Map<string, { readonly nodes: readonly Node[]; readonly length: number }>()

  constructor(scope: Scope, isLegacy: boolean) {
    this.#scope = scope
    this.#isLegacy = isLegacy
  }

  /** Blocks in place of a placeholder. */
  nodes(placeholder: Placeholder): readonly Node[] {
    const text = this.#textOf(placeholder)
    const { nodes, length } = this.#read.get(text) ?? this.#keep(text)
    this.#scope.spend(length)
    return nodes
  }

  /** A leaf with another text. */
  leaf(leaf: Leaf, text: string): Leaf {
    this.#scope.spend(Object.keys(leaf).length)
    return { ...leaf, text }
  }

  /** The address of an element with its values. */
  url({ parts }: TextTemplate, element: Element): string {
    let url = ''
    for (const part of parts) {
      // A list is its JSON here, in every version.
      const added = typeof part === 'string' ? part : renderPlaceholderInBubble(part, this.#scope)
      this.#scope.spend(added.length)
      url += added
    }
    return safeAddress(url, addressUseOf(element), this.#scope)
  }

  #keep(text: string) {
    const nodes = readMarkdown(text, this.#budget)
    const kept = {
      nodes,
      length: text !== '' && isPlain(text) ? lineLength + text.length : JSON.stringify(nodes).length,
    }
    this.#read.set(text, kept)
    return kept
  }

  #textOf(placeholder: Placeholder): string {
    if (!this.#isLegacy) return renderPlaceholderInBubble(placeholder, this.#scope)
    if (placeholder.kind === 'code') {
      return renderInlineCode(placeholder.code, this.#scope, (result) => textOfSomething(lastOf(result)))
    }
    return valueToText(lastOf(this.#scope.variables.read(placeholder.ref)))
  }
}

function renderPlaceholderInBubble(placeholder: Placeholder, scope: Scope): string {
  if (placeholder.kind === 'code') return renderInlineCode(placeholder.code, scope, textOfSomething)
  return valueToText(scope.variables.read(placeholder.ref))
}

/** In a bubble, code that yields nothing shows nothing. */
function textOfSomething(result: unknown): string {
  return result === undefined || result === null ? '' : inlineCodeText(result)
}

/** Versions below 6 show the last element of a list (docs/behaviour/walk.md, "Old versions"). */
function lastOf<Result>(value: Result | readonly Result[]): Result | null {
  return Array.isArray(value) ? (value.at(-1) ?? null) : (value as Result)
}
