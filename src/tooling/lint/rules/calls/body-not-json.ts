import { parseTemplate } from '../../../../engine/templates/parse-template.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule } from '../../rule.ts'

/** Longer bodies are not parsed. */
const longest = 64 * 1024

/** Bodies that nearly are JSON. */
export const bodyNotJson = defineRule({
  code: 'body-not-json',
  severity: 'warning',
  title: 'A body that looks like JSON and is none',
  description:
    'The custom body begins with a brace or a bracket, and is no JSON whatever its placeholders hold: a comma too many, or quotes that are missing. It is sent as a text, which hardly any service reads. Texts need quotes around their placeholder (`"{{Name}}"`); what stands in it is escaped. Bodies of requests with a content type that is not JSON are not checked.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { model, report }) {
    const { webhook, isCustomBody } = requestOf(placed).options ?? {}
    const body = webhook?.body ?? ''
    if (isCustomBody !== true || !/^\s*[{[]/.test(body) || body.length > longest) return
    const isTyped = webhook?.headers?.some(
      ({ key, value }) => key?.toLowerCase() === 'content-type' && value?.includes('json') === false,
    )
    if (isTyped || isJson(filledIn(body, model))) return
    const pointer = `${placed.pointer}/options/webhook/body`
    report({ pointer, message: 'This body is no JSON, whatever its placeholders hold.' })
  },
})

/** Any value is JSON where a number is, and is escaped between quotes. */
function filledIn(body: string, { program }: FlowModel): string {
  const { parts, lone } = parseTemplate(body.trim(), program.variables)
  return lone ? '0' : parts.map((part) => (typeof part === 'string' ? part : '0')).join('')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
