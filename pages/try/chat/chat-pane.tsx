import { effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type ChatCompanion, ChatView } from '../../shared/chat/chat-view.tsx'
import { openChatRoot } from '../../shared/chat/open-chat-root.ts'
import type { BenchProps } from '../state/workbench.ts'
import { ActionCard } from './action-card.tsx'
import { BlockDot, TurnStart } from './beside.tsx'
import companionStyle from './companion.css?inline'

/** The conversation, in a root of its own: what a flow brings for its look ends there. */
export function ChatPane({ bench }: BenchProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return undefined
    const { root, wear } = openChatRoot(host.current)
    const own = new CSSStyleSheet()
    own.replaceSync(companionStyle)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, own]
    const { model } = bench.trial
    const companion: ChatCompanion = {
      litBlock: () => (bench.selected.value?.kind === 'block' ? bench.selected.value.blockId : undefined),
      showBeside: (entry) => <BlockDot bench={bench} entry={entry} />,
      showBefore: (index) => <TurnStart bench={bench} index={index} />,
      showAction: (entry) => <ActionCard entry={entry} trial={bench.trial} />,
    }
    render(<ChatView model={model} companion={companion} />, root)
    effect(() => wear(model.theme.value.customCss ?? ''))
    return effect(() => {
      if (bench.selected.value?.kind !== 'block') return
      requestAnimationFrame(() => root.querySelector('.lit')?.scrollIntoView({ block: 'nearest' }))
    })
  }, [])
  return <div id="chat" ref={host} />
}
