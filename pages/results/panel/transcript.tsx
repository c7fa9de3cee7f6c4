import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Bubble } from '../../shared/chat/bubbles.tsx'
import chatStyle from '../../shared/chat/chat.css?inline'
import { type ChatRoot, openChatRoot } from '../../shared/chat/open-chat-root.ts'
import { themeClass, themeVariables } from '../../shared/chat/theme.ts'
import type { FlowOutline, Result } from '../state/wire.ts'
import { messageOf, saidInWords } from './transcript-lines.ts'

interface TranscriptProps {
  readonly outline: FlowOutline
  readonly lines: Result['transcript']
}

/** A conversation as its visitor saw it, in a root of its own, with the look of its flow. */
export function Transcript({ outline, lines }: TranscriptProps) {
  const host = useRef<HTMLDivElement>(null)
  const chat = useRef<ChatRoot | null>(null)
  useEffect(() => {
    if (!host.current) return undefined
    chat.current = openChatRoot(host.current, chatStyle)
    const { root, wear } = chat.current
    wear(outline.theme)
    return () => render(null, root)
  }, [])
  useEffect(() => {
    if (chat.current) render(<Talk outline={outline} lines={lines} />, chat.current.root)
  }, [outline, lines])
  return <div ref={host} class="transcript" />
}

function Talk({ outline, lines }: TranscriptProps) {
  const { theme } = outline
  return (
    <div class={`chat typebot-container ${themeClass(theme)}`} style={themeVariables(theme)}>
      <div class="frame typebot-chat-view">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it too */}
        <section class="scroll" tabIndex={0} aria-label="What was said">
          <div class="column">
            <div class="log typebot-chat-chunk">
              {lines.map(({ role, name, text }, index) =>
                role === 'user' ? (
                  <div key={index} class="line guest-line">
                    <div class="bubble guest typebot-guest-bubble" dir="auto">
                      <span class="unseen">Visitor: </span>
                      {saidInWords(text, outline)}
                    </div>
                  </div>
                ) : (
                  <div key={index} class="line">
                    <Bubble
                      message={messageOf(
                        { text, sender: role === 'person' ? (name ?? 'A person') : undefined },
                        outline,
                      )}
                      onEvent={() => undefined}
                    />
                  </div>
                ),
              )}
            </div>
          </div>
        </section>
      </div>
    </div>
  )
}
