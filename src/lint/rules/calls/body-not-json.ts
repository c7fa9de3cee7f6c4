import { requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Longer bodies are not parsed. */
const longest = 64 * 1024

const placeholder = /\{\{=[^\n]*?=\}\}|\{\{[^{}]*\}\}/g

/** Bodies that nearly are JSON. */
export const bodyNotJson = defineRule({
  code: 'body-not-json',
  severity: 'warning',
  title: 'A body that looks like JSON and is none',
  description:
    'The custom body begins with a brace or a bracket, and is no JSON whatever its placeholders hold: a comma too many, or quotes that are missing. It is sent as a text, which hardly any service reads. Texts need quotes around their placeholder (`"{{Name}}"`); what stands in it is escaped. Bodies of requests with a content type that is not JSON are not checked.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { webhook, isCustomBody } = requestOf(placed).options ?? {}
    const body = webhook?.body ?? ''
    if (isCustomBody !== true || !/^\s*[{[]/.test(body) || body.length > longest) return
    const isTyped = webhook?.headers?.some(
      ({ key, value }) => key?.toLowerCase() === 'content-type' && value?.includes('json') === false,
    )
    if (isTyped || /^\s*\{\{.*\}\}\s*$/.test(body) || isJson(body.replace(placeholder, '0'))) return
    const pointer = `${placed.pointer}/options/webhook/body`
    report({ pointer, message: 'This body is no JSON, whatever its placeholders hold.' })
  },
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
