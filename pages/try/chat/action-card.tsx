import { useState } from 'preact/hooks'
import type { ClientSideAction } from '../../../client/client.ts'
import type { Entry } from '../../shared/chat/entry.ts'
import { safeLink } from '../../shared/chat/safe-address.ts'
import type { FrameRequest } from '../../shared/chat/script-frame-messages.ts'
import { load } from '../../shared/lazy.tsx'
import type { Trial } from '../state/trial.ts'

interface ActionCardProps {
  readonly entry: Extract<Entry, { kind: 'action' }>
  readonly trial: Trial
}

/** What a flow asks of a browser: shown, and done when a person says so. */
export function ActionCard({ entry: { action, number }, trial }: ActionCardProps) {
  const [outcome, setOutcome] = useState<string | undefined>(undefined)
  const [answer, setAnswer] = useState(proposalFor(action))
  const request = requestOf(action)
  const isDue = trial.pending.value.has(number)
  const run = async () => {
    if (!request) return
    setOutcome('It runs …')
    // The code that visitors load when a flow asks for something, in the one file that it is.
    const { runInFrame } = await load(() => import('../../shared/chat/perform-action.ts'))
    const { ok, text } = await runInFrame(request)
    setOutcome(ok ? `It came to ${text || 'nothing'}` : `It failed: ${text}`)
    if (isDue) trial.answer(number, ok || request.kind === 'script' ? (ok ? text : '') : failureOf(text))
  }
  return (
    <section class="action" aria-label={`Action: ${action.type}`}>
      <p class="action-name">{titleOf(action)}</p>
      <Details action={action} />
      {request && (
        <button type="button" class="quiet" onClick={() => void run()}>
          Run in the sandbox
        </button>
      )}
      {isDue && (
        <>
          <label class="labelled">
            <span>Answer</span>
            <textarea
              class="field"
              rows={2}
              value={answer}
              onInput={({ currentTarget }) => setAnswer(currentTarget.value)}
            />
          </label>
          <button type="button" onClick={() => trial.answer(number, answer)}>
            Go on with this answer
          </button>
        </>
      )}
      {outcome !== undefined && <p class="note">{outcome}</p>}
    </section>
  )
}

function Details({ action }: { readonly action: ClientSideAction }) {
  if (action.type === 'redirect') {
    const address = safeLink(action.redirect.url)
    return address === undefined ? (
      <p class="note">It leads nowhere.</p>
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it too
    <pre class="code" tabIndex={0}>
      {codeOf(action)}
    </pre>
  )
}

function codeOf(action: ClientSideAction): string {
  if (action.type === 'scriptToExecute') return action.scriptToExecute.content
  if (action.type === 'setVariable') return action.setVariable.scriptToExecute.content
  const { type, lastBubbleBlockId, expectsDedicatedReply, ...rest } = action as ClientSideAction &
    Readonly<Record<string, unknown>>
  return JSON.stringify(Object.values(rest)[0] ?? {}, null, 2)
}

const titles: Partial<Record<ClientSideAction['type'], string>> = {
  scriptToExecute: 'Script, not run',
  setVariable: 'Script that makes a value',
  httpRequestToExecute: 'Request of the browser',
  listenForWebhook: 'Waits for a call from elsewhere',
  redirect: 'Redirect, not followed',
  googleAnalytics: 'Analytics, not sent',
  pixel: 'Pixel, not sent',
  chatwoot: 'Live chat, not opened',
  startPropsToInject: 'Analytics and head code, not loaded',
}

function titleOf(action: ClientSideAction): string {
  if (action.type === 'wait') return `Visitors wait for ${action.wait.secondsToWaitFor} s`
  return titles[action.type] ?? action.type
}

function requestOf(action: ClientSideAction): FrameRequest | undefined {
  if (action.type === 'scriptToExecute') return { kind: 'script', ...action.scriptToExecute }
  if (action.type === 'setVariable') return { kind: 'script', ...action.setVariable.scriptToExecute }
  if (action.type === 'httpRequestToExecute') return { kind: 'request', ...action.httpRequestToExecute }
  return undefined
}

function proposalFor({ type }: ClientSideAction): string {
  if (type === 'httpRequestToExecute') return JSON.stringify({ statusCode: 200, data: {} })
  return type === 'listenForWebhook' ? JSON.stringify({ data: {} }) : ''
}

const failureOf = (message: string) => JSON.stringify({ statusCode: 500, data: { message } })
