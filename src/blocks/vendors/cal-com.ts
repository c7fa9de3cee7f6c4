import type { CalComBlock } from '../../../schemas/blocks/vendors.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'
import type { JsonTemplate } from '../../engine/templates/json-template.ts'
import { decodeClientValue } from '../decode-client-value.ts'
import { reportNotAvailable, skipUnavailable } from '../not-available.ts'
import { awaitBooking, showCalendar } from './cal-com/calendar-scripts.ts'
import { omitEmptyTexts } from './lib/empty-texts.ts'
import { objectOfRows } from './lib/key-value-rows.ts'
import { reportProblem } from './lib/vendor-logs.ts'

type Options = NonNullable<CalComBlock['options']>

interface Booking {
  readonly action: string | undefined
  readonly options: JsonTemplate<Options>
  /** Receives the date that was booked. */
  readonly variableId: string | undefined
}

const bookEvent = 'Book event'

/** Shows a booking calendar in the browser, and waits for the booking (docs/behaviour/integrations.md, "Cal com"). */
export const calCom = defineBlock<CalComBlock, Booking | undefined>({
  types: ['cal-com'],
  kind: 'integration',
  compile: ({ options }, context) => options && compile(options, context),
  run(booking, context) {
    if (!booking) return {}
    const { action } = booking
    if (action === undefined) return { logs: [reportProblem('cal-com is not configured')] }
    return action === bookEvent ? show(booking, context) : skipUnavailable(action)
  },
  handleClientReply: (booking, text) =>
    booking?.variableId
      ? { assignments: [{ variableId: booking.variableId, value: decodeClientValue(text) }] }
      : {},
  isPassThrough: ({ options }) => options?.action !== bookEvent,
})

const addressAt = (pointer: string) => (pointer === '/baseUrl' ? 'link' : undefined)

function compile(options: Options, context: CompileContext): Booking {
  const { action, saveBookedDateInVariableId: variableId } = options
  if (action !== undefined && action !== bookEvent) reportNotAvailable(action, context)
  return { action, options: context.json(options, '/options', addressAt), variableId }
}

const layouts = { Month: 'month_view', Weekly: 'week_view', Columns: 'column_view' } as const

function* show(booking: Booking, context: RunContext): Effects<Step> {
  const options = omitEmptyTexts(context.render(booking.options).value)
  const { baseUrl = 'https://app.cal.com', link, layout = 'Month', anyPrefilledInformations } = options
  if (link === undefined) return { logs: [reportProblem('Event link is missing')] }
  const calLink = link.replace(/^https?:\/\/[^/]*\/?/i, '')
  const prefilled = anyPrefilledInformations?.map(({ questionId, value }) => ({ key: questionId, value }))
  const { name = null, email = null, phone = null, additionalNotes = null } = options
  const args = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    link: calLink,
    name,
    email,
    layout: layouts[layout],
    phone,
    additionalNotes,
    otherPrefilledInformations: prefilled ? objectOfRows(prefilled) : null,
  }
  const message = {
    id: yield* ask({ type: 'id' }),
    type: 'custom-embed' as const,
    content: {
      url: `${args.baseUrl}/${calLink}`,
      initFunction: { args, content: showCalendar },
      waitForEventFunction: { args: {}, content: awaitBooking },
    },
  }
  return { message: new JsonFragment(message), next: { to: 'wait' } }
}
