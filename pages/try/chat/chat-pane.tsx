import { computed, effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import chatStyle from '../../shared/chat/chat.css?inline'
import type { ChatModel } from '../../shared/chat/chat-model.ts'
import { type ChatCompanion, ChatView } from '../../shared/chat/chat-view.tsx'
import { openChatRoot } from '../../shared/chat/open-chat-root.ts'
import type { Trial } from '../state/trial.ts'
import { type BenchProps, channelOf, type Workbench } from '../state/workbench.ts'
import { ActionCard } from './action-card.tsx'
import { BlockDot, TurnStart } from './beside.tsx'
import companionStyle from './companion.css?inline'

/** The name of the flow, where it has one beside its id. */
const nameOf = ({ draft: { title, origin } }: Workbench) =>
  title.value === origin.value?.label ? undefined : title.value

/** The conversation as it stood behind the steps that are done, while a turn is stepped through. */
function steppedModel({ trial }: Workbench): ChatModel {
  const { model, stepper, moments } = trial
  const { position } = stepper
  const revealed = computed(() => {
    const { turn = 0, done = 0 } = position.value ?? {}
    const { firstEntry, trace } = moments.value[turn] ?? {}
    if (!position.value || firstEntry === undefined) return model.revealed.value
    return firstEntry + (trace?.steps ?? []).slice(0, done).filter(({ message }) => message).length
  })
  const input = computed(() => (position.value ? undefined : model.input.value))
  const phase = computed(() => (position.value ? 'waiting' : model.phase.value))
  return { ...model, revealed, input, phase } as ChatModel
}

function noteUnloaded({ unloaded }: Trial, target: EventTarget | null): void {
  if (!(target instanceof HTMLImageElement || target instanceof HTMLMediaElement)) return
  unloaded.value = new Set(unloaded.value).add(target.src)
}

/** The conversation, in a root of its own: what a flow brings for its look ends there. */
export function ChatPane({ bench }: BenchProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return undefined
    const { root, wear } = openChatRoot(host.current, chatStyle)
    const own = new CSSStyleSheet()
    own.replaceSync(companionStyle)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, own]
    const companion: ChatCompanion = {
      litBlock: () => (bench.selected.value?.kind === 'block' ? bench.selected.value.blockId : undefined),
      showBeside: (entry) => <BlockDot bench={bench} entry={entry} />,
      showBefore: (index) => <TurnStart bench={bench} index={index} />,
      showAction: (entry) => <ActionCard entry={entry} trial={bench.trial} />,
    }
    const model = steppedModel(bench)
    const Talk = () => <ChatView model={model} companion={companion} name={nameOf(bench)} />
    render(<Talk />, root)
    // Such an event stays at its element: it is seen on the way down alone.
    root.addEventListener('error', ({ target }) => noteUnloaded(bench.trial, target), true)
    effect(() => wear(model.theme.value))
    return effect(() => {
      if (bench.selected.value?.kind !== 'block') return
      requestAnimationFrame(() => root.querySelector('.lit')?.scrollIntoView({ block: 'nearest' }))
    })
  }, [])
  const { value: layout } = bench.layout
  return <div id="chat" ref={host} data-layout={layout} hidden={channelOf(layout) !== undefined} />
}
