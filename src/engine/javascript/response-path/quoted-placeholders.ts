import type {
  AnyNode,
  AssignmentProperty,
  Expression,
  Identifier,
  MemberExpression,
  MethodDefinition,
  Program,
  Property,
  PropertyDefinition,
  TemplateElement,
  TemplateLiteral,
} from 'acorn'
import { applyEdits, type Edit, type NamesInText, toSum, toTemplateText } from '../quoted-text.ts'
import { walkNodes } from './ast-walk.ts'
import { textWordFor, word } from './placeholder-tokens.ts'

const names: NamesInText = { pattern: word, referenceTo: textWordFor }

/**
 * Makes references of words that stand inside quotes, or behind a dot: `data["{{Key}}"]` and `data.{{Key}}` mean
 * the member of that name. Changes the tree, and gives the code that says the same.
 */
export function bindQuotedPlaceholders(program: Program, code: string): string {
  const edits: Edit[] = []
  for (const node of walkNodes(program)) edits.push(...bind(node, code))
  return applyEdits(edits, code)
}

/** Whether a word stands inside a pattern, where it is no reference: a value is never part of one. */
export function hasWordInPattern(program: Program): boolean {
  for (const node of walkNodes(program)) {
    if (node.type === 'Literal' && node.regex && word.test(node.regex.pattern)) return true
  }
  return false
}

function bind(node: AnyNode, code: string): Edit[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' && word.test(node.value) ? bindLiteral(node, node.value) : []
    case 'TemplateLiteral':
      return node.quasis.some(({ value }) => word.test(value.raw)) ? bindTemplate(node) : []
    case 'MemberExpression':
      return bindMember(node, code)
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return bindKey(node)
    default:
      return []
  }
}

function bindLiteral(node: AnyNode, text: string): Edit[] {
  const edit = { from: node.start, to: node.end, text: `(${toSum(text, names)})` }
  Object.assign(node, templateOf([text], []))
  return [edit]
}

function bindTemplate(node: TemplateLiteral): Edit[] {
  const edits = node.quasis.map(({ start, end, value }) => {
    return { from: start, to: end, text: toTemplateText(value.cooked ?? '', names) }
  })
  const texts = node.quasis.map(({ value }) => value.cooked ?? '')
  Object.assign(node, templateOf(texts, node.expressions))
  return edits
}

/** A key in quotes has to be computed to be more than a text. It is bound itself as the literal that it is. */
function bindKey(node: AssignmentProperty | MethodDefinition | Property | PropertyDefinition): Edit[] {
  const { key, computed } = node
  if (computed || key.type !== 'Literal' || typeof key.value !== 'string' || !word.test(key.value)) return []
  return [
    { from: key.start, to: key.start, text: '[' },
    { from: key.end, to: key.end, text: ']' },
  ]
}

/** A dot, or a comment that may hold one. */
const dotOrComment = /\/\*[\s\S]*?\*\/|\/\/.*|\./g

function bindMember(node: MemberExpression, code: string): Edit[] {
  const { object, property, optional } = node
  if (node.computed || property.type !== 'Identifier' || !word.test(property.name)) return []
  const between = code.slice(object.end, property.start)
  const dot = object.end + ([...between.matchAll(dotOrComment)].find(([found]) => found === '.')?.index ?? 0)
  const text = `[${toSum(property.name, names)}]`
  Object.assign(node, { computed: true, property: templateOf([property.name], []) })
  return [{ from: optional ? dot + 1 : dot, to: property.end, text }]
}

/** A template with one expression between each two texts, the words in its texts made expressions too. */
function templateOf(texts: readonly string[], between: readonly Expression[]): TemplateLiteral {
  const quasis: TemplateElement[] = []
  const expressions: Expression[] = []
  texts.forEach((text, position) => {
    text.split(word).forEach((part, index) => {
      if (index % 2 === 0) quasis.push(element(part))
      else expressions.push(identifier(textWordFor(part)))
    })
    const expression = between[position]
    if (expression) expressions.push(expression)
  })
  return { type: 'TemplateLiteral', quasis, expressions, ...nowhere }
}

/** Positions of what is new are never read. */
const nowhere = { start: 0, end: 0 }

const element = (text: string): TemplateElement => ({
  type: 'TemplateElement',
  value: { cooked: text, raw: text },
  tail: false,
  ...nowhere,
})

const identifier = (name: string): Identifier => ({ type: 'Identifier', name, ...nowhere })
