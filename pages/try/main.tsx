import { render } from 'preact'
import { assign } from '../shared/assign.ts'
import '../shared/page.css'
import '../shared/periods.css'
import './try.css'
import './graph/graph.css'
import { lazy } from '../shared/lazy.tsx'
import { listenToKeys } from './keyboard.ts'
import { PaneBorder, paneWidths } from './panes.tsx'
import { channelOf, createWorkbench, type Part } from './state/workbench.ts'
import { Notices } from './toolbar/notices.tsx'
import { OpenDialog, openFile } from './toolbar/open-dialog.tsx'
import { Toolbar } from './toolbar/toolbar.tsx'

const bench = createWorkbench()

const Graph = lazy(async () => (await import('./graph/graph-view.tsx')).GraphPane)
const ChatPane = lazy(async () => (await import('./chat/chat-pane.tsx')).ChatPane)
const ChannelPane = lazy(async () => (await import('./messenger/channel-pane.tsx')).ChannelPane)
const Drawer = lazy(async () => (await import('./drawer/drawer.tsx')).Drawer)

const parts: readonly { readonly part: Part; readonly label: string }[] = [
  { part: 'chat', label: 'Chat' },
  { part: 'graph', label: 'Graph' },
  { part: 'drawer', label: 'Inspect' },
]

/** The page for authors: a conversation beside what it does to the flow, and why. */
function TryPage() {
  const { part, draft, layout } = bench
  const channel = channelOf(layout.value)
  return (
    <div class={`try shows-${part.value} as-${layout.value}`} style={paneWidths()}>
      <Toolbar bench={bench} />
      <Notices bench={bench} />
      <nav class="parts" aria-label="Parts of this page">
        {parts.map(({ part: name, label }) => (
          <button key={name} type="button" aria-pressed={part.value === name} onClick={assign(part, name)}>
            {label}
          </button>
        ))}
      </nav>
      <section class="talk" aria-label="Conversation">
        {draft.text.value !== '' && <ChatPane bench={bench} />}
        {draft.text.value !== '' && channel && <ChannelPane key={channel} bench={bench} channel={channel} />}
      </section>
      <PaneBorder side="talk" />
      <Graph bench={bench} />
      <PaneBorder side="drawer" />
      <Drawer bench={bench} />
      <OpenDialog bench={bench} />
    </div>
  )
}

/** Files and texts of flows are taken wherever they are put. */
function takeDrafts(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0]
    if (event.defaultPrevented || !file) return
    event.preventDefault()
    void openFile({ bench }, file)
  })
  addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain').trim() ?? ''
    const isTyped = event
      .composedPath()
      .some((one) => one instanceof HTMLElement && /^(?:input|textarea)$/i.test(one.tagName))
    const isEdited = event.target instanceof HTMLElement && event.target.isContentEditable
    if (!isTyped && !isEdited && /^\{|^groups\s*:/m.test(text))
      void bench.openText(text, { kind: 'file', label: 'pasted' })
  })
}

const page = document.getElementById('page')
if (page) render(<TryPage />, page)
takeDrafts()
listenToKeys(bench)
void bench.openAddress()
