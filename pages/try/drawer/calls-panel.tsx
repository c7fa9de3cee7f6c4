import { asRecord } from '../../../src/tooling/flow-graph/loose-json.ts'
import { type Call, goesOut, nameCall, type PinnedRule, problemOf, ruleOf } from '../state/mock-rules.ts'
import type { BenchProps } from '../state/workbench.ts'
import { BlockLink, TurnLink } from './links.tsx'

/** What the conversation asked of the world, with the answers, which can be pinned. */
export function CallsPanel({ bench }: BenchProps) {
  const { moments, isReal } = bench.trial
  const { rules } = bench.rules
  const calls = moments.value.flatMap(({ trace }, turn) =>
    (trace?.steps ?? []).flatMap(({ block, calls: made = [] }) =>
      made.map((call) => ({ turn, call, blockId: block.blockId })),
    ),
  )
  return (
    <>
      {rules.value.length > 0 && (
        <section aria-label="Pinned answers">
          <h2>Pinned answers</h2>
          <p class="soft">
            {isReal.value
              ? 'Calls are sent for real: pinned answers do not count.'
              : 'The first that fits answers. Retry plays the conversation with them.'}
          </p>
          {rules.value.map((rule, at) => (
            <Rule key={at} bench={bench} rule={rule} at={at} />
          ))}
        </section>
      )}
      <h2>Calls</h2>
      {calls.length === 0 && <p class="soft">Nothing was asked of the world.</p>}
      {calls.map(({ turn, call, blockId }, index) => (
        <details key={index} class="call" open={goesOut(call) && calls.length < 4}>
          <summary>
            {nameCall(call)}
            <small>
              {outcomeOf(call)} · {call.ms.toFixed(1)} ms{call.isMocked ? ' · not sent' : ''}
            </small>
          </summary>
          <p>
            <TurnLink bench={bench} turn={turn} /> · <BlockLink bench={bench} blockId={blockId} />
          </p>
          <CallPart title="Request" value={call.request} />
          <CallPart title="Answer" value={call.answer} />
          <PinButton bench={bench} call={call} blockId={blockId} />
        </details>
      ))}
    </>
  )
}

function outcomeOf({ answer }: Call): string {
  const { status, kind } = asRecord(answer)
  return String(status ?? kind ?? 'answered')
}

function CallPart({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === undefined) return null
  return (
    <>
      <h3>{title}</h3>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </>
  )
}

function PinButton({ bench, call, blockId }: BenchProps & { readonly call: Call; readonly blockId: string }) {
  const rule = ruleOf(call, blockId)
  if (!rule) return null
  return (
    <button type="button" onClick={() => bench.rules.pin(rule)}>
      Pin this answer
    </button>
  )
}

function Rule({
  bench,
  rule: { kind, text },
  at,
}: BenchProps & { readonly rule: PinnedRule; readonly at: number }) {
  const problem = problemOf(text)
  return (
    <div class="rule">
      <label>
        <span>{kind}</span>
        <textarea
          rows={Math.min(text.split('\n').length, 14)}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => bench.rules.edit(at, currentTarget.value)}
        />
      </label>
      <p role="alert">{problem}</p>
      <button type="button" onClick={() => bench.rules.remove(at)}>
        Remove
      </button>
    </div>
  )
}
