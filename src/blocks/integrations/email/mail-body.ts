import type { EmailBlock } from '../../../../schemas/blocks/integrations.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import {
  type Placeholder,
  renderPlaceholder,
  renderText,
  type TextTemplate,
} from '../../../engine/templates/text-template.ts'
import { autoBody } from '../http-request/auto-body.ts'
import { readMailbox } from './mailbox.ts'

/** Content of a mail: its author's text, or everything that is known of the conversation. */
export type MailBody =
  | { readonly kind: 'text' | 'html'; readonly template: TextTemplate }
  | { readonly kind: 'everything' }

type RenderedBody = { readonly text: string } | { readonly html: string }

/** Prepares the body of a mail; one that is there counts, unless the block says otherwise. */
export function compileMailBody(
  options: NonNullable<EmailBlock['options']>,
  context: CompileContext,
): MailBody {
  const { body = '', isCustomBody = body !== '', isBodyCode } = options
  if (!isCustomBody) return { kind: 'everything' }
  return { kind: isBodyCode ? 'html' : 'text', template: context.text(body, '/options/body') }
}

/** Renders the body of a mail (docs/behaviour/integrations.md, "Email"). Values are always escaped in HTML. */
export function* renderMailBody(body: MailBody, context: RunContext): Effects<RenderedBody> {
  switch (body.kind) {
    case 'text':
      return { text: renderPlain(body.template, context) }
    case 'html':
      return { html: renderHtml(body.template, context) }
    case 'everything':
      return { html: showEverything(yield* autoBody(context), context) }
  }
}

function renderPlain(template: TextTemplate, context: RunContext): string {
  if (!template.lone) return renderText(template, context)
  const text = linesOf(template.lone, context).join('\n')
  context.spend(text.length)
  return text
}

function renderHtml({ parts, lone }: TextTemplate, context: RunContext): string {
  const show = (part: string | Placeholder) => {
    if (typeof part === 'string') return part
    return lone
      ? linesOf(part, context).map(inLines).join('<br>')
      : escapeHtml(renderPlaceholder(part, context))
  }
  let html = ''
  for (const part of parts) {
    const shown = show(part)
    context.spend(shown.length)
    html += shown
  }
  return html
}

/** Lines of a placeholder that stands alone in a body: one for each element of a list. */
function linesOf(placeholder: Placeholder, context: RunContext): readonly string[] {
  const value = placeholder.kind === 'variable' ? context.variables.read(placeholder.ref) : null
  if (value === null || typeof value === 'string') return [renderPlaceholder(placeholder, context)]
  return value.map((element) => element ?? '')
}

function showEverything(values: Record<string, string>, context: RunContext): string {
  const { submittedAt: _, ...shown } = values
  const html = Object.entries(shown)
    .map(([key, value]) => `<p><strong>${escapeHtml(key)}:</strong> ${showValue(value)}</p>`)
    .join('\n')
  context.spend(html.length)
  return html
}

function showValue(value: string): string {
  const mailbox = readMailbox(value)
  if (!mailbox || mailbox.name !== undefined) return inLines(value)
  const [local, host] = mailbox.email.toWellFormed().split('@').map(encodeURIComponent)
  return `<a href="mailto:${local}@${host}">${escapeHtml(mailbox.email)}</a>`
}

/** Text as HTML that keeps its lines. */
function inLines(text: string): string {
  return escapeHtml(text).replace(/\r\n?|\n/g, '<br>')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
