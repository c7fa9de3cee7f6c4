import { useState } from 'preact/hooks'
import { assign } from '../../shared/assign.ts'
import type { Trial } from '../state/trial.ts'
import type { BenchProps, Workbench } from '../state/workbench.ts'
import { StepBar } from './step-bar.tsx'

/** What somebody has to know or to give before it goes on. */
export function Notices({ bench }: BenchProps) {
  const { trial, problem, told } = bench
  const divergence = trial.divergence.value
  return (
    <div class="notices" aria-live="polite">
      <StepBar bench={bench} />
      {trial.startFrom.value && (
        <p class="banner">
          <span>It begins at {nameOfPlace(bench, trial.startFrom.value)}.</span>
          <button type="button" onClick={() => void bench.startAt(undefined)}>
            Begin at the start
          </button>
        </p>
      )}
      {bench.isTokenNeeded.value && <TokenForm bench={bench} />}
      <div role="alert">
        {problem.value !== undefined && (
          <p class="banner bad">
            {problem.value}
            <Close onClose={assign(problem, undefined)} />
          </p>
        )}
      </div>
      {told.value !== undefined && (
        <p class="banner">
          {told.value}
          <Close onClose={assign(told, undefined)} />
        </p>
      )}
      {divergence && (
        <p class="banner">
          <span>
            Turn {divergence.turn + 1} takes another way
            {divergence.blockId === undefined ? '' : ` from “${divergence.blockId}”`}: it went to{' '}
            {divergence.was}, and goes to {divergence.is}. What was said after that is not repeated.
          </span>
          {divergence.blockId !== undefined && (
            <button
              type="button"
              onClick={() => bench.select({ kind: 'block', blockId: divergence.blockId ?? '' })}
            >
              Show
            </button>
          )}
          <Close onClose={assign(trial.divergence, undefined)} />
        </p>
      )}
    </div>
  )
}

function nameOfPlace({ draft }: Workbench, place: NonNullable<Trial['startFrom']['value']>): string {
  const { blocks, groupTitles } = draft.parts.value
  if (place.type === 'event') return `the event “${place.eventId}”`
  const block = blocks.get(place.blockId ?? '')
  if (block) return `“${block.groupTitle}: ${block.label}”`
  return `“${groupTitles.get(place.groupId ?? '') ?? place.blockId ?? place.groupId}”`
}

function Close({ onClose }: { readonly onClose: () => void }) {
  return (
    <button type="button" class="close" aria-label="Close this message" onClick={onClose}>
      ×
    </button>
  )
}

/** The token stays in this tab: neither in an address nor in what outlives it. */
function TokenForm({ bench }: BenchProps) {
  const [token, setToken] = useState('')
  return (
    <form
      class="banner"
      onSubmit={(event) => {
        event.preventDefault()
        if (token !== '') void bench.useToken(token.trim())
      }}
    >
      <label>
        This service wants the token of previews
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit">Use it in this tab</button>
    </form>
  )
}
