import type { Allowed } from './options.ts'
import type { ActionOutcome, Script, SiteAction } from './protocol.ts'

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

const refused: ActionOutcome = { isDone: false }
const done: ActionOutcome = { isDone: true }

type Tracker = ((...words: unknown[]) => void) | undefined

/** The functions and the list by which sites count what happens on them. */
interface Trackers {
  readonly gtag?: Tracker
  readonly fbq?: Tracker
  dataLayer?: unknown[]
}

/** Does in this page what a flow asks of it, as far as the site allows it. */
export async function performOnSite(action: SiteAction, allowed: readonly Allowed[]): Promise<ActionOutcome> {
  const may = (what: Allowed) => allowed.includes(what)
  switch (action.type) {
    case 'redirect':
      return may('redirect') ? redirect(action.redirect) : refused
    case 'scriptToExecute':
      return may('scripts') ? runScript(action.scriptToExecute) : refused
    case 'setVariable':
      return may('scripts') ? runScript(action.setVariable.scriptToExecute) : refused
    case 'chatwoot':
      return may('scripts') ? runScript(action.chatwoot.scriptToExecute) : refused
    case 'googleAnalytics':
    case 'pixel':
      return may('analytics') ? track(action) : refused
    default:
      return refused
  }
}

function redirect({ url = '', isNewTab }: { readonly url?: string; readonly isNewTab?: boolean }) {
  // The frame has looked at the address, and so does the page whose address it becomes.
  if (!/^(?:https?|mailto|tel|sms):/i.test(url)) return refused
  if (!isNewTab) {
    location.assign(url)
    return done
  }
  const opened = open(url, '_blank')
  if (!opened) return refused
  opened.opener = null
  return done
}

async function runScript({ content, args }: Script): Promise<ActionOutcome> {
  // A policy that does not allow it refuses this.
  const run = new AsyncFunction(...args.map(({ id }) => id), content)
  try {
    const value = await run(...args.map((arg) => arg.value))
    return { isDone: true, text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') }
  } catch (error) {
    console.error(error)
    return { isDone: false, failure: String(error) }
  }
}

function track(action: Extract<SiteAction, { readonly type: 'googleAnalytics' | 'pixel' }>): ActionOutcome {
  const site = globalThis as Trackers
  if (action.type === 'pixel') {
    const { eventType, name, pixelId, params = [] } = action.pixel
    const isCustom = eventType === 'Custom'
    const values = Object.fromEntries(params.map(({ key = '', value }) => [key, value]))
    site.fbq?.(isCustom ? 'trackSingleCustom' : 'trackSingle', pixelId, isCustom ? name : eventType, values)
    return { isDone: site.fbq !== undefined }
  }
  const { action: event = '', category, label, value, sendTo } = action.googleAnalytics
  const details = { event_category: category, event_label: label, value, send_to: sendTo }
  if (site.gtag) site.gtag('event', event, details)
  else {
    site.dataLayer ??= []
    site.dataLayer.push({ event, ...details })
  }
  return done
}
