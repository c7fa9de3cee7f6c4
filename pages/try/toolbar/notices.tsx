import { useState } from 'preact/hooks'
import { assign } from '../../shared/assign.ts'
import type { BenchProps } from '../state/workbench.ts'

/** What somebody has to know or to give before it goes on. */
export function Notices({ bench }: BenchProps) {
  const { trial, problem, told } = bench
  const divergence = trial.divergence.value
  return (
    <div class="notices">
      {bench.isTokenNeeded.value && <TokenForm bench={bench} />}
      {problem.value !== undefined && (
        <p role="alert" class="banner bad">
          {problem.value}
          <Close onClose={assign(problem, undefined)} />
        </p>
      )}
      {told.value !== undefined && (
        <p role="status" class="banner">
          {told.value}
          <Close onClose={assign(told, undefined)} />
        </p>
      )}
      {divergence && (
        <p role="status" class="banner">
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
