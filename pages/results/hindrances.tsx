import { useState } from 'preact/hooks'
import type { BoardProps, Hindrance } from './state/board.ts'

interface HindranceProps extends BoardProps {
  readonly hindrance: Hindrance
}

/** Says why there is nothing to see, and what mends it. */
export function HindranceView({ board, hindrance }: HindranceProps) {
  switch (hindrance.kind) {
    case 'no token':
      return (
        <section class="hindrance" aria-label="Token">
          <h2>Who reads answers needs a token</h2>
          <p>
            The operator of this service has it: <code>RESULTS_TOKEN</code>, which only reads, or another one
            with the scope <code>results</code>. It stays in this tab.
          </p>
          <TokenForm board={board} />
        </section>
      )
    case 'wrong token':
      return (
        <section class="hindrance" aria-label="Token">
          <h2>This token opens nothing</h2>
          <p>It may be another one by now, or have lost a character when it was copied.</p>
          <TokenForm board={board} />
        </section>
      )
    case 'not kept':
      return (
        <section class="hindrance" aria-label="Nothing is kept">
          <h2>This service keeps no answers</h2>
          <p>
            Nobody could read them, as it has no token for that, so it neither keeps nor counts any. Start it
            with <code>RESULTS_TOKEN</code>; conversations that begin then are here.
          </p>
        </section>
      )
    default:
      return (
        <section class="hindrance" aria-label="Refused">
          <h2>That did not work</h2>
          <p role="alert">{hindrance.message}</p>
          <p>
            <button type="button" onClick={() => void board.open()}>
              Try again
            </button>
          </p>
          <TokenForm board={board} />
        </section>
      )
  }
}

/** The token stays in this tab: neither in an address nor in what outlives it. */
export function TokenForm({ board }: BoardProps) {
  const [token, setToken] = useState('')
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault()
        if (token.trim() !== '') void board.useToken(token.trim())
      }}
    >
      <label>
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="strong">
        Open
      </button>
    </form>
  )
}
