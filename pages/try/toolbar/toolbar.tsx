import { channels } from '../../../schemas/channel.ts'
import { assign } from '../../shared/assign.ts'
import { areKeysOn, switchKeys } from '../keyboard.ts'
import { titleOf } from '../messenger/read-request.ts'
import { SaveMenu } from '../save/save-menu.tsx'
import type { BenchProps, Layout } from '../state/workbench.ts'
import { BlockSearch } from './block-search.tsx'

/** What can be done with the flow on the bench. */
export function Toolbar({ bench }: BenchProps) {
  const { draft, trial } = bench
  const { locales, language } = draft.parts.value
  return (
    <header class="toolbar">
      <h1 title={draft.title.value}>{draft.title.value}</h1>
      <button type="button" onClick={assign(bench.isOpening, true)}>
        Open
      </button>
      <button
        type="button"
        class="main"
        disabled={!trial.isFree.value}
        onClick={() => void bench.retry()}
        title="r"
      >
        Retry
      </button>
      <button type="button" disabled={!trial.isFree.value} onClick={() => void trial.begin()}>
        Start again
      </button>
      <SkipButton bench={bench} />
      <GiveBackButton bench={bench} />
      <SaveMenu bench={bench} />
      <label class="switch" title="Calls, mails and models; else nothing leaves the service">
        <input
          type="checkbox"
          checked={trial.isReal.value}
          onChange={({ currentTarget }) => {
            trial.isReal.value = currentTarget.checked
            void trial.begin()
          }}
        />
        Send for real
      </label>
      {locales.length > 0 && (
        <label class="switch">
          Language
          <select
            value={trial.locale.value ?? ''}
            disabled={!trial.isFree.value}
            onChange={({ currentTarget }) => void bench.speak(currentTarget.value || undefined)}
          >
            <option value="">{language ?? 'Its own'}</option>
            {locales.map((locale) => (
              <option key={locale}>{locale}</option>
            ))}
          </select>
        </label>
      )}
      <label class="switch">
        View
        <select
          value={bench.layout.value}
          onChange={({ currentTarget }) => {
            bench.layout.value = currentTarget.value as Layout
          }}
        >
          <option value="phone">Phone</option>
          <option value="desktop">Desktop</option>
          <option value="widget">Widget</option>
          {channels.map((channel) => (
            <option key={channel} value={channel}>
              As {titleOf(channel)}
            </option>
          ))}
        </select>
      </label>
      <label class="switch" title="Letters and signs that act outside of text fields">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={({ currentTarget }) => switchKeys(currentTarget.checked)}
        />
        Keys
      </label>
      <BlockSearch bench={bench} />
    </header>
  )
}

const timerNames = {
  idle: 'idle event',
  wait: 'end of the wait',
  reply: 'end of the window of replies',
  expire: 'expiry event',
  pause: 'end of the pause',
} as const

/** Has the person give the conversation back who leads it, where one does. */
function GiveBackButton({ bench: { trial } }: BenchProps) {
  if (trial.moments.value.at(-1)?.asks !== 'person' || trial.stepper.position.value) return null
  return (
    <button type="button" disabled={!trial.isFree.value} onClick={() => void trial.model.giveBack()}>
      Give back to the flow
    </button>
  )
}

/** Lets the timer fire that is due first, where there is one. */
function SkipButton({ bench: { trial } }: BenchProps) {
  const [timer] = trial.timers.value
  if (!timer || trial.stepper.position.value) return null
  const due = `The ${timerNames[timer.type]} is due at ${new Date(timer.due).toLocaleString()}`
  return (
    <button
      type="button"
      disabled={!trial.isFree.value}
      title={due}
      onClick={() => void trial.model.skipToTimer()}
    >
      Skip to the timer
    </button>
  )
}
