import { CalComBlock } from '../../../schemas/blocks/vendors.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'
import type { JsonTemplate } from '../../engine/templates/json-template.ts'
import { reportNotAvailable, skipUnavailable } from '../integration-steps.ts'
import { decodeClientValue } from '../json-texts.ts'
import { reportProblem } from './lib/ask-vendor.ts'
import { objectOfRows, omitEmptyTexts } from './lib/rows-and-items.ts'

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
  schema: CalComBlock,
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

/**
 * Shows the calendar inside of the message. The arguments are the variables of the script; `typebotElement` is the
 * element that clients give to it.
 */
const showCalendar = `
if (!window.Cal) {
  const cal = (...command) => cal.q.push(command);
  cal.q = [];
  cal.ns = {};
  cal.loaded = true;
  window.Cal = cal;
  const loader = document.createElement("script");
  loader.src = baseUrl + "/embed/embed.js";
  document.head.append(loader);
}
window.Cal("init", { origin: baseUrl });
window.Cal("inline", {
  elementOrSelector: typebotElement,
  calLink: link,
  layout,
  config: {
    ...(name && { name }),
    ...(email && { email }),
    ...(additionalNotes && { notes: additionalNotes }),
    ...(phone && { location: JSON.stringify({ value: "phone", optionValue: phone }) }),
    ...otherPrefilledInformations,
  },
});
window.Cal("ui", { hideEventTypeDetails: false, layout });
`.trim()

/** Sends the date back once it is booked; `continueFlow` is the function that clients give to it. */
const awaitBooking = `
const callback = (event) => {
  window.Cal("off", { action: "bookingSuccessful", callback });
  continueFlow(event.detail.data.date);
};
window.Cal("on", { action: "bookingSuccessful", callback });
`.trim()
