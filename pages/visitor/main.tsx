import { effect } from '@preact/signals'
import { render } from 'preact'
import { createClient } from '../../client/client.ts'
import '../shared/page.css'
import './visitor.css'
import { isStorageOpen } from '../shared/browser-storage.ts'
import { createChatMemory } from '../shared/chat/chat-memory.ts'
import { createChatModel } from '../shared/chat/chat-model.ts'
import { ChatView } from '../shared/chat/chat-view.tsx'
import { openChatRoot } from '../shared/chat/open-chat-root.ts'
import { speak, spoken, words } from '../shared/words/speak.ts'
import { openSiteChannel } from './site-channel.ts'

const publicId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
const query = new URLSearchParams(location.search)
const embed = query.get('embed')
const locale = query.get('locale') ?? undefined
query.delete('embed')
query.delete('locale')
const site = openSiteChannel(embed)
// A site says behind the # what is for no log.
const given = Object.fromEntries([...query, ...new URLSearchParams(location.hash.slice(1))])
const kept = new URLSearchParams({ ...(site && embed && { embed }), ...(locale && { locale }) })
const address = kept.size > 0 ? `${location.pathname}?${kept}` : location.pathname
const client = createClient({ address: '', timeLimitMs: 10_000, repetitions: 0 })
const memory = createChatMemory(publicId)

const model = createChatModel({
  client,
  memory,
  ...(site && { perform: site.perform }),
  start(options) {
    const resultId = memory.recallVisitor()
    const body = {
      isStreamEnabled: true,
      prefilledVariables: { ...given, ...site?.variables() },
      ...(locale && { locale }),
      ...(resultId !== undefined && { resultId }),
    }
    return client.start(publicId, body, options)
  },
})

/** Why nothing can begin here; the service puts it into the document. */
const refusal = document.getElementById('refusal')

function openChat(): void {
  refusal?.remove()
  const host = document.createElement('div')
  host.id = 'chat'
  document.getElementById('page')?.append(host)
  const { root, wear } = openChatRoot(host)
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
if (!refusal || memory.recall()) openChat()
