import { effect } from '@preact/signals'
import { render } from 'preact'
import { createClient } from '../../client/client.ts'
import '../shared/page.css'
import './visitor.css'
import { createChatMemory } from '../shared/chat/chat-memory.ts'
import { createChatModel } from '../shared/chat/chat-model.ts'
import { ChatView } from '../shared/chat/chat-view.tsx'
import { openChatRoot } from '../shared/chat/open-chat-root.ts'
import { spoken } from '../shared/words/speak.ts'

const publicId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
const given = Object.fromEntries(new URLSearchParams(location.search))
const client = createClient({ address: '', timeLimitMs: 10_000, repetitions: 0 })
const memory = createChatMemory(publicId)

const model = createChatModel({
  client,
  memory,
  start(options) {
    const resultId = memory.recallVisitor()
    const body = {
      isStreamEnabled: true,
      prefilledVariables: given,
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
  render(<ChatView model={model} name={name} />, root)
  effect(() => {
    const { language, direction } = spoken.value
    Object.assign(document.documentElement, { lang: language, dir: direction })
  })
  effect(() => wear(model.theme.value.customCss ?? ''))
  effect(() => {
    const { metadata, general } = model.settings.value
    if (metadata?.title) document.title = metadata.title
    if (
      location.search !== '' &&
      model.entries.value.length > 0 &&
      general?.isHideQueryParamsEnabled !== false
    )
      history.replaceState(null, '', location.pathname)
  })
  void model.open()
}

// What has begun goes on, though nothing new can.
if (!refusal || memory.recall()) openChat()
