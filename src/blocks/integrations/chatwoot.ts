import { ChatwootBlock } from '../../../schemas/blocks/integrations.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { Scope } from '../../engine/model/scope.ts'
import type { Step } from '../../engine/model/step.ts'
import { compileClientScript, renderClientScript } from '../../engine/templates/client-script.ts'
import {
  type Placeholder,
  renderPlaceholder,
  type TextTemplate,
} from '../../engine/templates/text-template.ts'

interface Widget {
  readonly baseUrl: TextTemplate
  readonly websiteToken: TextTemplate
  readonly user: Readonly<Record<string, TextTemplate>>
}

/** Opens or closes a live-chat widget by a script for the browser (docs/behaviour/integrations.md, "Chatwoot"). */
export const chatwoot = defineBlock<ChatwootBlock, Widget | 'close' | undefined>({
  schema: ChatwootBlock,
  kind: 'integration',
  compile({ options }, context) {
    if (!options) return undefined
    return options.task === 'Close widget' ? 'close' : compileWidget(options, context)
  },
  run(widget, context) {
    if (!widget) return {}
    if (widget === 'close') return act({ content: closeScript, args: [] })
    if (context.isLive) return act(renderOpenScript(widget, context))
    const logs = [
      {
        audience: 'visitors' as const,
        status: 'info' as const,
        description: 'Chatwoot block is not supported in preview',
      },
    ]
    return { ...act({ content: '', args: [] }), logs }
  },
  isPassThrough: () => true,
  marks: { changesNothing: true, isClientOnly: () => true },
})

/** The names that the widget gives the fields of a user. */
const profileFields = [
  ['id', 'id'],
  ['email', 'email'],
  ['name', 'name'],
  ['avatarUrl', 'avatar_url'],
  ['phoneNumber', 'phone_number'],
] as const

function compileWidget(options: NonNullable<ChatwootBlock['options']>, context: CompileContext): Widget {
  const { baseUrl = 'https://app.chatwoot.com', websiteToken = '', user } = options
  const profile = profileFields.flatMap(([field, name]) => {
    const text = user?.[field]
    return text ? [[name, context.text(text, `/options/user/${field}`)] as const] : []
  })
  return {
    baseUrl: context.text(baseUrl, '/options/baseUrl'),
    websiteToken: context.text(websiteToken, '/options/websiteToken'),
    user: Object.fromEntries(profile),
  }
}

function renderOpenScript(widget: Widget, context: RunContext): Script {
  const { resultId = '', flowId, variables } = context
  const resultUrl = `/v1/flows/${encodeURIComponent(flowId.toWellFormed())}/results/${resultId}`
  const source = openScript({ ...widget, resultUrl, resultId }, context)
  return renderClientScript(compileClientScript(source, variables.table), context)
}

type Script = Parameters<typeof act>[0]

function act(scriptToExecute: ReturnType<typeof renderClientScript>): Step {
  return { actions: [{ type: 'chatwoot', chatwoot: { scriptToExecute } }] }
}

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
function openScript(options: WidgetOptions, scope: Scope): string {
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
const closeScript = `
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
