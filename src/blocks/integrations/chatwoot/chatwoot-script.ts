import type { Scope } from '../../../engine/model/scope.ts'
import {
  type Placeholder,
  renderPlaceholder,
  type TextTemplate,
} from '../../../engine/templates/text-template.ts'

/** Options of the scripts of the live-chat widget. */
interface WidgetOptions {
  readonly baseUrl: TextTemplate
  readonly websiteToken: TextTemplate
  /** Fields of a user, by the widget's names. */
  readonly user: Readonly<Record<string, TextTemplate>>
  readonly resultUrl: string
  readonly resultId: string
}

/**
 * A script that opens the widget, loading it first where the page has not done so. Fields always become JavaScript
 * strings; references to variables stay placeholders. Names begin with an underscore, since the ids of variables become
 * parameters of the same function.
 */
export function openScript(options: WidgetOptions, scope: Scope): string {
  return `
window.addEventListener('chatwoot:error', (error) => console.error(error))
const _openWidget = () => {
${setUser(options, scope)}  window.Flow?.unmount?.()
  window.$chatwoot.setCustomAttributes({ flow_result_url: ${literal(options.resultUrl)} })
  window.$chatwoot.toggle('open')
}
if (window.$chatwoot) return _openWidget()
const _baseUrl = ${expressionOf(options.baseUrl, scope)}
const _sdk = document.createElement('script')
_sdk.src = _baseUrl + '/packs/js/sdk.js'
_sdk.async = true
_sdk.onload = () => {
  window.addEventListener('chatwoot:ready', _openWidget)
  window.chatwootSDK.run({ websiteToken: ${expressionOf(options.websiteToken, scope)}, baseUrl: _baseUrl })
}
document.head.appendChild(_sdk)`.trimStart()
}

/** A script that closes the widget and hides its bubble. */
export const closeScript = `
if (window.$chatwoot) {
  window.$chatwoot.toggle('close')
  window.$chatwoot.toggleBubbleVisibility('hide')
}`.trimStart()

function setUser({ user: { id, ...fields }, resultId }: WidgetOptions, scope: Scope): string {
  if (!id && !fields['email']) return ''
  const identifier = [id, fields['email']]
    .flatMap((template) => (template ? expressionOf(template, scope) : []))
    .join(' || ')
  const profile = Object.entries(fields).map(
    ([name, template]) => `    ${name}: ${expressionOf(template, scope)},\n`,
  )
  return `  window.$chatwoot.setUser(${identifier} || ${literal(resultId)}, {\n${profile.join('')}  })\n`
}

/** A text as a JavaScript expression. Joined, because a variable without a value then adds nothing. */
function expressionOf({ constant, parts }: TextTemplate, scope: Scope): string {
  if (constant !== undefined) return literal(constant)
  return `[${parts.map((part) => (typeof part === 'string' ? literal(part) : operandOf(part, scope))).join()}].join('')`
}

function operandOf(placeholder: Placeholder, scope: Scope): string {
  return placeholder.kind === 'variable'
    ? `{{${placeholder.ref.name}}}`
    : literal(renderPlaceholder(placeholder, scope))
}

/** A JavaScript string in which nothing can be taken for a placeholder. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('{', '\\u007b')
}
