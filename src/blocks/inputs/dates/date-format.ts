import { UTCDateMini } from '@date-fns/utc/date/mini'
import { format as formatDate } from 'date-fns/format'
import type { CompileContext } from '../../../engine/model/block-handler.ts'
import type { Scope } from '../../../engine/model/scope.ts'
import { renderText } from '../../../engine/templates/text-template.ts'
import { writtenText } from '../lib/render-input.ts'

/** Format in which a block writes its dates, in date-fns tokens that are known to work. */
export interface DateFormat {
  render(scope: Scope): string
}

/** More than any real format needs. Drafts are untrusted, and each token takes time. */
const longestFormat = 128

/** Prepares the format of a block. One that cannot be used is replaced by `fallback`, with a finding. */
export function compileDateFormat(
  format: string | undefined,
  fallback: string,
  context: CompileContext,
): DateFormat {
  const template = writtenText(format, context)
  if (template.constant === undefined)
    return { render: (scope) => usable(renderText(template, scope)) ?? fallback }
  const own = usable(template.constant)
  if (own === undefined && format) {
    const hint = `Not a date format: letters that are no tokens go between single quotes. "${fallback}" is used.`
    context.report({ code: 'invalid-option', severity: 'error', at: '/options/format', hint })
  }
  return { render: () => own ?? fallback }
}

/** Writes a moment in UTC, with a format that is known to work. */
export function writeDate(at: number, format: string): string {
  return formatDate(new UTCDateMini(at), format)
}

function usable(format: string): string | undefined {
  if (format === '' || format.length > longestFormat) return undefined
  const calendar = format.replace(token, (letters) => calendarTokens.get(letters) ?? letters)
  try {
    writeDate(0, calendar)
    return calendar
  } catch {
    return undefined
  }
}

/** A token, or a quoted text, as date-fns cuts a format. */
const token = /[a-zA-Z]o|([a-zA-Z])\1*|''|'(?:''|[^'])+(?:'|$)/g

/**
 * `YYYY-MM-DD` is written by people who mean the calendar. To the letter it would be the year of the week and the
 * day of the year, which no input asks for.
 */
const calendarTokens = new Map([
  ['D', 'd'],
  ['DD', 'dd'],
  ['YY', 'yy'],
  ['YYYY', 'yyyy'],
])
