import { useEffect, useRef, useState } from 'preact/hooks'
import { Cell } from '../answers/answer-table.tsx'
import { EraseButton } from '../answers/erase-button.tsx'
import type { ViewProps } from '../overview/view-props.ts'
import { isAborted, Refusal } from '../state/ask.ts'
import { answersTo, inWords, questionsOf, stateOf } from '../state/describe-answers.ts'
import type { Result } from '../state/wire.ts'
import { LeadControls } from './lead-controls.tsx'
import { Transcript } from './transcript.tsx'

interface SidePanelProps extends ViewProps {
  readonly resultId: string
}

/** Milliseconds after which an open conversation is looked at again. */
const refreshMs = 5000

/** One conversation: what was said, the answers, what went wrong, and who leads it. */
export function SidePanel({ board, outline, resultId }: SidePanelProps) {
  const { askJson, flowPath, hinder, selected, list, pages } = board
  const [result, setResult] = useState<Result>()
  const [isGone, setGone] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const close = () => {
    selected.value = undefined
    document.querySelector<HTMLElement>(`[aria-expanded="true"][aria-label^="Open"]`)?.focus()
  }
  const look = (signal?: AbortSignal) =>
    askJson<Result>(flowPath(`/results/${encodeURIComponent(resultId)}`), { ...(signal && { signal }) })
      .then(setResult)
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) setGone(true)
        else if (!isAborted(error)) hinder(error)
      })
  useEffect(() => {
    const gone = new AbortController()
    void look(gone.signal)
    const timer = setInterval(() => {
      if (!document.hidden) void look(gone.signal)
    }, refreshMs)
    return () => {
      clearInterval(timer)
      gone.abort()
    }
  }, [])
  useEffect(() => title.current?.focus(), [])
  return (
    <aside
      class="panel"
      aria-labelledby="panel-title"
      onKeyDown={({ key }) => {
        if (key === 'Escape') close()
      }}
    >
      <header>
        <h2 id="panel-title" ref={title} tabIndex={-1}>
          {result ? `Conversation of ${inWords(result.createdAt)}` : 'Conversation'}
        </h2>
        <button type="button" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      {isGone && <p role="alert">It was erased.</p>}
      {result && !isGone && (
        <>
          <p class="aside">
            {stateOf(result)}
            {result.locale && ` · ${result.locale}`} · last changed {inWords(result.updatedAt)} · in the log
            as <code>{result.conversation}</code>
          </p>
          {result.sessionId !== undefined && (
            <LeadControls board={board} sessionId={result.sessionId} onLed={() => void look()} />
          )}
          {result.isImported ? (
            <p class="aside">It was imported: what was said is not known here.</p>
          ) : (
            <Transcript outline={outline} lines={result.transcript} />
          )}
          <Facts outline={outline} result={result} />
          {list.value?.mayChange && (
            <p class="ways">
              <EraseButton
                board={board}
                ids={[resultId]}
                onErased={() => {
                  close()
                  pages.load().catch(hinder)
                }}
              />
            </p>
          )}
        </>
      )}
    </aside>
  )
}

function Facts({ outline, result }: Pick<ViewProps, 'outline'> & { readonly result: Result }) {
  const answered = questionsOf(outline)
    .map((block) => ({ block, lines: answersTo(block, result) }))
    .filter(({ lines }) => lines.length > 0)
  return (
    <>
      {answered.length > 0 && (
        <details open={result.isImported === true}>
          <summary>Answers</summary>
          <dl class="facts">
            {answered.map(({ block, lines }) => (
              <div key={block.id}>
                <dt dir="auto">{block.words}</dt>
                <dd>
                  <Cell lines={lines} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {result.logs.length > 0 && (
        <details>
          <summary>
            {result.logs.length === 1 ? '1 report' : `${result.logs.length} reports`} of the flow
          </summary>
          <ul class="logs">
            {result.logs.map(({ time, status, description }, index) => (
              <li key={index} class={status}>
                {inWords(time)}: {description}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
