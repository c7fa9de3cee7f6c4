import { useEffect, useState } from 'preact/hooks'
import { Refusal } from '../state/ask.ts'
import type { BoardProps } from '../state/board.ts'

interface LeadControlsProps extends BoardProps {
  readonly sessionId: string
  /** Is called when something was changed. */
  readonly onLed: () => void
}

/** Who leads a conversation that goes on. */
interface Standing {
  readonly state: 'waiting' | 'registered' | 'over'
  readonly paused?: { readonly who?: string }
}

/** Takes a conversation over from its flow, writes in it, and hands it back. */
export function LeadControls({ board, sessionId, onLed }: LeadControlsProps) {
  const { ask, askJson, hinder, told } = board
  const [standing, setStanding] = useState<Standing>()
  const [text, setText] = useState('')
  const path = `/v1/sessions/${encodeURIComponent(sessionId)}`
  const look = () =>
    askJson<Standing>(path)
      .then(setStanding)
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) setStanding({ state: 'over' })
        else hinder(error)
      })
  useEffect(() => void look(), [sessionId])
  const act = async (asked: Parameters<typeof ask>[1], to = path) => {
    try {
      await ask(to, asked)
      await look()
      onLed()
    } catch (error) {
      told.value = error instanceof Error ? error.message : String(error)
    }
  }
  const put = (body: object) => act({ method: 'PATCH', body })
  if (!standing || standing.state === 'registered') return null
  if (standing.state === 'over') return <p class="lead">It is over.</p>
  return (
    <section class="lead" aria-label="Who leads this conversation">
      {standing.paused ? (
        <>
          <p>{standing.paused.who ?? 'A person'} leads it; the flow waits.</p>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (text.trim() === '') return
              setText('')
              void act({ method: 'POST', body: { text } }, `${path}/messages`)
            }}
          >
            <label>
              <span class="unseen">Message to the visitor</span>
              <textarea
                rows={2}
                maxLength={10_000}
                placeholder="Write to the visitor"
                value={text}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            </label>
            <button type="submit" class="strong">
              Send
            </button>
          </form>
          <button type="button" onClick={() => void put({ status: 'open' })}>
            Hand back to the flow
          </button>
        </>
      ) : (
        <>
          <p>It goes on, and the flow leads it.</p>
          <button type="button" class="strong" onClick={() => void put({ status: 'paused' })}>
            Take over
          </button>
        </>
      )}
    </section>
  )
}
