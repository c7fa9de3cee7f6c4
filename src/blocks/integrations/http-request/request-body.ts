import type { CompileContext } from '../../../engine/model/block-handler.ts'
import type { Scope } from '../../../engine/model/scope.ts'
import {
  type Placeholder,
  renderPlaceholder,
  renderText,
  type TextTemplate,
} from '../../../engine/templates/text-template.ts'
import { exactTextOf, parseExactJson, parseJson } from '../../json-texts.ts'

/** The body of a request before it is written out. */
export type RequestBody =
  | {
      readonly kind: 'json'
      readonly value: unknown
      /** Body in place of the value if that holds an integer beyond the range of a number. */
      readonly exactText?: string | undefined
    }
  | { readonly kind: 'text'; readonly value: string }

/** A body as it goes over the wire, and what it is where the author does not say. */
export interface WrittenBody {
  readonly kind: RequestBody['kind']
  readonly text: string
  readonly contentType: string
}

/** Writes a body out (docs/behaviour/integrations.md, "HTTP request"): JSON without blanks, the fields of a form, or a text. */
export function writeBody(body: RequestBody, isForm: boolean): WrittenBody {
  const { kind } = body
  if (kind === 'text') return { kind, text: body.value, contentType: 'text/plain;charset=UTF-8' }
  const { exactText } = body
  if (!isForm) {
    return { kind, text: exactText ?? JSON.stringify(body.value), contentType: 'application/json' }
  }
  const contentType = 'application/x-www-form-urlencoded'
  const value = exactText === undefined ? body.value : parseExactJson(exactText)?.value
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { kind: 'text', text: isObject ? writeForm(value) : fieldOf(value), contentType }
}

/** A list is its field once for each element. */
function writeForm(fields: object): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const element of Array.isArray(value) ? value : [value]) form.append(name, fieldOf(element))
  }
  return form.toString()
}

function fieldOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The body of a request as its author wrote it: JSON more often than not. */
export interface JsonBody {
  readonly template: TextTemplate
  /**
   * Set for text that runs from one placeholder to another on one line: nothing around the values gives them a form.
   */
  readonly isRaw: boolean
}

const fromPlaceholderToPlaceholder = /^\{\{.+\}\}$/

/** Prepares the body of a request. */
export function compileJsonBody(source: string, context: CompileContext): JsonBody {
  return {
    template: context.text(source, '/options/webhook/body'),
    isRaw: fromPlaceholderToPlaceholder.test(source),
  }
}

/**
 * Renders the body of a request: the JSON value that it reads as, else its text, else undefined for no body
 * (docs/behaviour/integrations.md, "HTTP request"). `0`, `null`, `false` and `""` count as no body.
 */
export function renderJsonBody(
  { template, isRaw }: JsonBody,
  scope: Scope,
  isForm: boolean,
): RequestBody | undefined {
  const text = isRaw ? renderText(template, scope) : renderWith(template, scope, jsonTextOf)
  const parsed = parseJson(text)
  if (parsed)
    return parsed.value ? { kind: 'json', value: parsed.value, exactText: exactTextOf(text) } : undefined
  const sent = isForm && !isRaw ? renderWith(template, scope, formTextOf) : text
  return sent === '' ? undefined : { kind: 'text', value: sent }
}

type TextOf = (placeholder: Placeholder, scope: Scope) => string

function renderWith({ parts }: TextTemplate, scope: Scope, textOf: TextOf): string {
  let rendered = ''
  for (const part of parts) {
    const text = typeof part === 'string' ? part : textOf(part, scope)
    scope.spend(text.length)
    rendered += text
  }
  return rendered
}

/** A text escaped to stand between quotes, a list as JSON; what code yields is JSON by its author's doing. */
function jsonTextOf(placeholder: Placeholder, scope: Scope): string {
  if (placeholder.kind === 'code') return renderPlaceholder(placeholder, scope)
  const value = scope.variables.read(placeholder.ref)
  return typeof value === 'string'
    ? JSON.stringify(value).slice(1, -1)
    : renderPlaceholder(placeholder, scope)
}

function formTextOf(placeholder: Placeholder, scope: Scope): string {
  const pair = new URLSearchParams([['', renderPlaceholder(placeholder, scope)]])
  return pair.toString().slice('='.length)
}
