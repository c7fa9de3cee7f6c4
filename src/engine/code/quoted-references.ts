import type { AnyNode, Expression, Identifier, Program, TemplateElement, TemplateLiteral } from 'acorn'

/** What a word stands for: the value of a placeholder, or its text. */
export interface Reference {
  readonly index: number
  readonly isText: boolean
}

const word = /\$ref(\d+)\$/
const wholeWord = /^\$(ref|text)(\d+)\$$/

/** The word that stands in code for the value of a placeholder. */
export const wordFor = (index: number) => `$ref${index}$`

/** Reads a word; undefined for any other name. */
export function referenceOf(name: string): Reference | undefined {
  const match = wholeWord.exec(name)
  return match ? { index: Number(match[2]), isText: match[1] === 'text' } : undefined
}

/**
 * Makes references of words that stand inside quotes, or behind a dot: `data["{{Key}}"]` and `data.{{Key}}` mean
 * the member of that name.
 */
export function bindQuoted(program: Program): void {
  const pending: object[] = [program]
  for (let item = pending.pop(); item; item = pending.pop()) {
    if ('type' in item) bind(item as AnyNode)
    for (const child of Object.values(item))
      if (typeof child === 'object' && child !== null) pending.push(child)
  }
}

function bind(node: AnyNode): void {
  if (node.type === 'Literal' && typeof node.value === 'string' && word.test(node.value)) {
    Object.assign(node, templateOf([node.value], []))
  } else if (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => word.test(value.raw))) {
    const texts = node.quasis.map(({ value }) => value.cooked ?? '')
    Object.assign(node, templateOf(texts, node.expressions))
  } else if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier') {
    const { name } = node.property
    if (word.test(name)) Object.assign(node, { computed: true, property: templateOf([name], []) })
  }
}

/** A template with one expression between each two texts, the words in its texts made expressions too. */
function templateOf(texts: readonly string[], between: readonly Expression[]): TemplateLiteral {
  const quasis: TemplateElement[] = []
  const expressions: Expression[] = []
  texts.forEach((text, position) => {
    text.split(word).forEach((part, index) => {
      if (index % 2 === 0) quasis.push(element(part))
      else expressions.push(identifier(`$text${part}$`))
    })
    const expression = between[position]
    if (expression) expressions.push(expression)
  })
  return { type: 'TemplateLiteral', quasis, expressions, ...nowhere }
}

/** Positions are never read. */
const nowhere = { start: 0, end: 0 }

const element = (text: string): TemplateElement => ({
  type: 'TemplateElement',
  value: { cooked: text, raw: text },
  tail: false,
  ...nowhere,
})

const identifier = (name: string): Identifier => ({ type: 'Identifier', name, ...nowhere })
