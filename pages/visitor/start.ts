import type { StartBody } from '../../client/client.ts'

declare global {
  /** As `start.ts` has found it, which runs first. */
  var visit: Visit
}

/** What the address of the page says, and the answer to the start that needs to wait for nothing else. */
interface Visit {
  readonly publicId: string
  readonly embed: string | null
  readonly locale: string | undefined
  readonly body: StartBody
  readonly answer: Promise<Response> | undefined
}

// The one module that the page does not wait for: it imports nothing, so that the conversation begins while the rest comes.

const publicId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
const query = new URLSearchParams(location.search)
const embed = query.get('embed')
const locale = query.get('locale') ?? undefined
query.delete('embed')
query.delete('locale')
// A site says behind the # what is for no log.
const given = Object.fromEntries([...query, ...new URLSearchParams(location.hash.slice(1))])
const body: StartBody = {
  isStreamEnabled: true,
  prefilledVariables: given,
  ...(locale && { locale }),
}

/** Whether nothing is known of the visitor: else the page goes on, or says who it is. */
function isNew(): boolean {
  try {
    const [chat, visitor] = ['chat', 'visitor'].map((kind) => `flow-runtime/${kind}/${publicId}`)
    return !(chat && visitor && (sessionStorage[chat] ?? sessionStorage[visitor] ?? localStorage[visitor]))
  } catch {
    return false
  }
}

const begin = () =>
  fetch(`/v1/flows/${encodeURIComponent(publicId)}/startChat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const canBegin = !document.getElementById('refusal') && isNew()
globalThis.visit = { publicId, embed, locale, body, answer: canBegin ? begin() : undefined }
// Who waits for it hears of it; nobody may.
visit.answer?.catch(() => undefined)
