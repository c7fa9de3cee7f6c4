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
  /** Of the start that has begun: repeated with it, there is one session all the same. */
  readonly key: string | undefined
  readonly answer: Promise<Response> | undefined
}

// Stands in the document: it imports nothing, so that the conversation begins while the rest comes.

const publicId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
const query = new URLSearchParams(location.search)
const embed = query.get('embed')
const locale = query.get('locale') ?? undefined
query.delete('embed')
query.delete('locale')
// A site says behind the # what is for no log.
const behind = new URLSearchParams(location.hash.slice(1))
const session = behind.get('session')
behind.delete('session')
if (session !== null) takeOver(session)
const given = Object.fromEntries([...query, ...behind])
const body: StartBody = {
  isStreamEnabled: true,
  prefilledVariables: given,
  ...(locale && { locale }),
}

const sent = JSON.stringify(body)

/** Goes on with a conversation that is held on a messenger, as after a reload. Its id is a secret: it stays in no address. */
function takeOver(sessionId: string): void {
  const chat = { sessionId, entries: [], isOver: false, theme: {}, settings: {} }
  try {
    sessionStorage[`flow-runtime/chat/${publicId}`] = JSON.stringify(chat)
    history.replaceState(null, '', location.pathname + location.search)
  } catch {
    // A browser that keeps nothing begins anew.
  }
}

/**
 * A key for the start, which a reload repeats that comes before the answer. Undefined where something is known of the
 * visitor: the page goes on, or says who it is.
 */
function keyOfStart(): string | undefined {
  try {
    const [chat, visitor, start] = ['chat', 'visitor', 'start'].map(
      (kind) => `flow-runtime/${kind}/${publicId}`,
    )
    if (!(chat && visitor && start)) return undefined
    if (sessionStorage[chat] ?? sessionStorage[visitor] ?? localStorage[visitor]) return undefined
    const [kept, keptBody] = (sessionStorage[start] ?? '').split('\n')
    const key = keptBody === sent ? kept : crypto.getRandomValues(new Uint32Array(4)).join('-')
    sessionStorage[start] = `${key}\n${sent}`
    return key
  } catch {
    return undefined
  }
}

const begin = (key: string) =>
  fetch(`/v1/flows/${encodeURIComponent(publicId)}/startChat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: sent,
  })

const isRefused = document.documentElement.dataset['refused'] !== undefined
const key = isRefused ? undefined : keyOfStart()
globalThis.visit = { publicId, embed, locale, body, key, answer: key ? begin(key) : undefined }
// Who waits for it hears of it; nobody may.
visit.answer?.catch(() => undefined)
