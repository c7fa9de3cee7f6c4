import { effect } from '@preact/signals'
import { render } from 'preact'
import { createClient, RefusedError, type Started, type StartOptions } from '../../client/client.ts'
import './visitor.css'
import { isStorageOpen, write } from '../shared/browser-storage.ts'
import styleAddress from '../shared/chat/chat.css?url'
import { createChatMemory } from '../shared/chat/chat-memory.ts'
import { createChatModel } from '../shared/chat/chat-model.ts'
import { ChatView } from '../shared/chat/chat-view.tsx'
import { openChatRoot } from '../shared/chat/open-chat-root.ts'
import { speak, spoken, words } from '../shared/words/speak.ts'
import { openSiteChannel } from './site-channel.ts'

const { publicId, embed, locale, body } = visit
/** The document has asked for it already. A conversation without it can still be led. */
const style = fetch(styleAddress)
  .then((answer) => answer.text())
  .catch(() => '')
const site = openSiteChannel(embed)
const kept = new URLSearchParams({ ...(site && embed && { embed }), ...(locale && { locale }) })
const address = kept.size > 0 ? `${location.pathname}?${kept}` : location.pathname
let { key, answer: begun } = visit
/** The first request is the start, which may be under way. */
const client = createClient({
  address: '',
  timeLimitMs: 10_000,
  repetitions: 0,
  fetch(url, options) {
    const answer = begun
    begun = undefined
    return answer
      ? unlessEnded(answer, options?.signal).catch(() => fetch(url, options))
      : fetch(url, options)
  },
})
const memory = createChatMemory(publicId)

const model = createChatModel({
  client,
  memory,
  hasOperators: document.documentElement.dataset['hasOperators'] !== undefined,
  ...(site && { perform: site.perform }),
  async start(options) {
    if (key !== undefined) return goOnWithStart(key, options)
    const resultId = memory.recallVisitor()
    const prefilledVariables = { ...body.prefilledVariables, ...site?.variables() }
    const known = { ...body, prefilledVariables, ...(resultId !== undefined && { resultId }) }
    return client.start(publicId, known, options)
  },
})

/** Waits for the start that the document began, repeated as it was until it is answered or refused for good. */
async function goOnWithStart(sent: string, options: StartOptions): Promise<Started> {
  const forget = () => {
    key = undefined
    write('sessionStorage', `flow-runtime/start/${publicId}`, undefined)
  }
  try {
    const started = await client.start(publicId, body, { ...options, key: sent })
    forget()
    return started
  } catch (error) {
    if (error instanceof RefusedError && error.retryAfterSeconds === undefined) forget()
    throw error
  }
}

/** Rejects once the signal ends what is waited for. */
function unlessEnded<Value>(waited: Promise<Value>, signal: AbortSignal | null | undefined): Promise<Value> {
  const ended = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
  return Promise.race([waited, ended])
}

/** Why nothing can begin here; the service puts it into the document. */
const refusal = document.getElementById('refusal')

function openChat(style: string): void {
  refusal?.remove()
  const host = document.createElement('div')
  host.id = 'chat'
  document.getElementById('page')?.append(host)
  const { root, wear } = openChatRoot(host, style)
  // The service titles the document by its flow, and one without a name by its id.
  const name = document.title === publicId ? undefined : document.title
  if (site) host.dataset['layout'] = 'widget'
  render(<ChatView model={model} name={name} {...(site?.close && { onClose: site.close })} />, root)
  effect(() => wear(model.theme.value))
  effect(() => {
    const { metadata, general } = model.settings.value
    if (metadata?.title) document.title = metadata.title
    if (
      location.search + location.hash !== '' &&
      model.entries.value.length > 0 &&
      general?.isHideQueryParamsEnabled !== false
    )
      history.replaceState(null, '', address)
  })
  site?.follow(model, root, memory.recall() !== undefined)
  void model.open()
}

effect(() => {
  const { language, direction } = spoken.value
  Object.assign(document.documentElement, { lang: language, dir: direction })
  const word = refusal?.dataset['word'] as keyof typeof words.value | undefined
  if (refusal && word) refusal.textContent = words.value[word]
})
void speak({})

if (!isStorageOpen()) await site?.answered
// What has begun goes on, though nothing new can.
if (!refusal || memory.recall()) openChat(await style)
