import { PosthogBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { askVendor, reportProblem } from './lib/ask-vendor.ts'
import { objectOfRows } from './lib/rows-and-items.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<PosthogBlock['options']>

/** Reports an event of a live session to PostHog (docs/behaviour/integrations.md, "PostHog"). */
export const posthog = defineVendorBlock<PosthogBlock>({
  schema: PosthogBlock,
  actions: { Capture: capture, 'Identify Group': identifyGroup },
  isLiveOnly: true,
})

function* capture(options: Options, context: RunContext): Effects<Step> {
  const { event, isAnonymous = false, distinctId } = options
  if (event === undefined || (distinctId === undefined && !isAnonymous))
    return { logs: [reportProblem('PostHog Capture: Missing required fields')] }
  const person = objectOfRows(options.personProperties)
  const groups = objectOfRows(options.groups?.map(({ type, key }) => ({ key: type, value: key })))
  const properties = {
    ...objectOfRows(options.properties),
    ...(Object.keys(person).length > 0 && { $set: person }),
    ...(Object.keys(groups).length > 0 && { $groups: groups }),
    // Otherwise the service would keep a profile of an anonymous visitor who never returns.
    ...(isAnonymous && { $process_person_profile: false }),
  }
  const id = isAnonymous ? yield* ask({ type: 'id' }) : distinctId
  return yield* send({ event, distinct_id: id, properties }, options, context)
}

function* identifyGroup(options: Options, context: RunContext): Effects<Step> {
  const { distinctId, groupType, groupKey } = options
  if (distinctId === undefined) return { logs: [reportProblem('Distinct ID is required')] }
  if (groupType === undefined || groupKey === undefined)
    return { logs: [reportProblem('Group type and key are required')] }
  const properties = {
    $group_type: groupType,
    $group_key: groupKey,
    $group_set: objectOfRows(options.properties),
  }
  return yield* send({ event: '$groupidentify', distinct_id: distinctId, properties }, options, context)
}

function* send(event: object, { credentialsId }: Options, context: RunContext): Effects<Step> {
  const timestamp = new Date(yield* ask({ type: 'now' })).toISOString()
  const answer = yield* askVendor(
    { vendor: 'posthog', credentialsId, method: 'POST', path: '/i/v0/e/', json: { ...event, timestamp } },
    context,
  )
  return answer.ok ? {} : { logs: [answer.log] }
}
