import { parseExactJson } from './parse-exact-json.ts'

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
