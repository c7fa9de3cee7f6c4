import { BlinkBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import type { Step } from '../../engine/model/step.ts'
import { describeAttachment, writeFeedSection } from './blink/feed-section.ts'
import { askVendorForJson, describeUnreadableAnswer, reportProblem } from './lib/ask-vendor.ts'
import { assignItems, mappingMarks, plainPart } from './lib/rows-and-items.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<BlinkBlock['options']>

/** Reads users of Blink, or puts cards into their feeds (docs/behaviour/integrations.md, "Blink"). */
export const blink = defineVendorBlock<BlinkBlock>({
  schema: BlinkBlock,
  actions: { 'Get Users': getUsers, 'Send Feed Event': sendFeedEvent, Redirect: redirect },
  addressAt: (pointer) => (pointer === '/url' ? 'link' : undefined),
  marks: mappingMarks,
})

/** The fields of users, by the names that mappings have for them. */
const userFields: ReadonlyMap<string, string> = new Map([
  ['Emails', 'email'],
  ['Company Names', 'company_name'],
  ['First Names', 'first_name'],
  ['Second Names', 'second_name'],
  ['Display Names', 'display_name'],
  ['Initials', 'initials'],
  ['Job Titles', 'job_title'],
  ['Profile Photo IDs', 'profile_photo_id'],
  ['Timezones', 'timezone'],
  ['Manager IDs', 'manager_id'],
  ['Department Names', 'department_name'],
  ['Account Statuses', 'account_status'],
  ['User IDs', 'id'],
  ['Employee IDs', 'employee_id'],
])

function* getUsers(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, filter, responseMapping } = options
  const query = queryOf(filter)
  if (!query) return { logs: [reportProblem('No filter provided')] }
  const path = `/user?${new URLSearchParams(query)}`
  const answer = yield* askVendorForJson({ vendor: 'blink', credentialsId, method: 'GET', path }, context)
  if (!answer.ok) return { logs: [answer.log] }
  const { data } = answer.body
  if (!Array.isArray(data)) return { logs: [describeUnreadableAnswer('blink', JSON.stringify(answer.body))] }
  const users = data.map((user) => Object(user) as Record<string, unknown>)
  const parts = [...userFields].map(([item, field]) => {
    const values = users.map((user) => user[field]).filter((value) => value !== undefined)
    return [item, values.length === 1 ? values[0] : values] as const
  })
  return { assignments: assignItems(responseMapping, Object.fromEntries(parts), 'User IDs') }
}

function queryOf(filter: Options['filter']): Record<string, string> | undefined {
  if (filter?.type === 'Employee ID' && filter.employeeId) return { employeeId: filter.employeeId }
  if (filter?.type === 'User ID' && filter.userId) return { userId: filter.userId }
  return undefined
}

function* sendFeedEvent(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, userIds = [], groupIds = [], sections = [] } = options
  if (userIds.length === 0 && groupIds.length === 0)
    return { logs: [reportProblem('You must supply at least one user ID or group ID.')] }
  const logs: LogEntry[] = []
  const written = []
  for (const section of sections) {
    const isFile = section.type === 'Attachment'
    const result = isFile ? yield* describeAttachment(section.url) : writeFeedSection(section)
    if (result.ok) written.push(result.section)
    else logs.push(result.log)
  }
  if (written.length === 0) return { logs: [...logs, reportProblem('No card content provided.')] }
  const json = {
    body: { ribbon_color: options.ribbonColor, sections: written },
    category: options.categoryId,
    user_ids: userIds,
    group_ids: groupIds,
    notification_title: options.pushNotification?.title,
    notification_text: options.pushNotification?.text,
    allow_comments: options.allowComments,
    allow_reactions: options.allowReactions,
  }
  const path = '/feed/events'
  const answer = yield* askVendorForJson(
    { vendor: 'blink', credentialsId, method: 'POST', path, json },
    context,
  )
  if (!answer.ok) return { logs: [...logs, answer.log] }
  const { event_id: id } = Object(answer.body['data']) as { event_id?: unknown }
  return {
    assignments: assignItems(options.responseMapping, { 'Event ID': plainPart(id) }, 'Event ID'),
    logs,
  }
}

/** Leads to a folder of the app, from the browser that the app shows. */
function redirect({ url }: Options): Step {
  const id = url === undefined ? undefined : /[a-f\d-]{36}$/.exec(url)?.[0]
  if (url === undefined || id === undefined)
    return { logs: [reportProblem('The address does not end with the id of a folder')] }
  const args = { url, action: `blink:folder?action=open&id=${id}` }
  return { actions: [{ type: 'codeToExecute', codeToExecute: { args, content: openInApp } }] }
}

/** Asks the app around the page to open something, and opens the address elsewhere where there is no app. */
const openInApp = `
const ios = window.webkit?.messageHandlers?.openClientAction;
if (ios) {
  ios.postMessage(action);
} else if (typeof window.android?.openClientAction === "function") {
  window.android.openClientAction(action);
} else if (window.parent !== window && document.referrer !== "") {
  window.parent.postMessage({ functionName: "openClientAction", args: [action] }, document.referrer);
} else {
  window.open(url, "_blank", "noopener");
}
`.trim()
