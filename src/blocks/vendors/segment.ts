import { SegmentBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { askVendor, reportProblem } from './lib/ask-vendor.ts'
import { objectOfRows } from './lib/rows-and-items.ts'
import { defineVendorBlock, type VendorAction } from './lib/vendor-block.ts'

type Options = NonNullable<SegmentBlock['options']>

/** Reports who a visitor of a live session is, or what happened, to Segment (docs/behaviour/integrations.md, "Segment"). */
export const segment = defineVendorBlock<SegmentBlock>({
  schema: SegmentBlock,
  actions: {
    'Identify User': reporting('identify', ({ traits, email }) => ({
      traits: { ...objectOfRows(traits), ...(email !== undefined && { email }) },
    })),
    Alias: reporting('alias', ({ previousId }) => previousId && { previousId }),
    Page: reporting('page', ({ name, category, properties }) =>
      name ? { name, ...(category && { category }), properties: objectOfRows(properties) } : undefined,
    ),
    Track: reporting('track', ({ eventName, properties }) =>
      eventName ? { event: eventName, properties: objectOfRows(properties) } : undefined,
    ),
  },
  isLiveOnly: true,
})

/** An action that sends one message; `describe` returns nothing when a field is missing that the message needs. */
function reporting(
  kind: 'identify' | 'alias' | 'page' | 'track',
  describe: (options: Options) => object | '' | undefined,
): VendorAction<Options> {
  return function* (options, context): Effects<Step> {
    const described = describe(options)
    if (!described || options.userId === undefined)
      return { logs: [reportProblem(`Segment ${options.action}: Missing required fields`)] }
    return yield* send(kind, { ...described, userId: options.userId }, { ...options, context })
  }
}

function* send(
  kind: string,
  message: object,
  { credentialsId, context }: Options & { readonly context: RunContext },
): Effects<Step> {
  const timestamp = new Date(yield* ask({ type: 'now' })).toISOString()
  const messageId = yield* ask({ type: 'id' })
  const json = { ...message, messageId, timestamp }
  const answer = yield* askVendor(
    { vendor: 'segment', credentialsId, method: 'POST', path: `/v1/${kind}`, json },
    context,
  )
  return answer.ok ? {} : { logs: [answer.log] }
}
