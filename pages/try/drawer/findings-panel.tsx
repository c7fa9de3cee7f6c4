import type { Finding } from '../../../client/client.ts'
import { applyPatch } from '../state/json.ts'
import type { BenchProps } from '../state/workbench.ts'

/** What is wrong with the draft, each with the way to its place and to what mends it. */
export function FindingsPanel({ bench }: BenchProps) {
  const { findings, problem, isChecked } = bench.draft
  return (
    <>
      <p role="alert">{problem.value}</p>
      {isChecked.value && findings.value.length === 0 && problem.value === undefined && (
        <p class="soft">Nothing is wrong with this flow.</p>
      )}
      <ul class="lines">
        {findings.value.map((finding, index) => (
          <li key={index} class={finding.severity}>
            <span class="severity">{finding.severity}</span>
            <FindingLine bench={bench} finding={finding} />
          </li>
        ))}
      </ul>
    </>
  )
}

function FindingLine({ bench, finding }: BenchProps & { readonly finding: Finding }) {
  const { code, message, hint, pointer, blockId, range } = finding
  const isYaml = bench.draft.form.value === 'yaml'
  // A patch of the definition would take comments away.
  const fix = isYaml ? undefined : finding.fix
  const show = () => {
    if (blockId !== undefined) bench.selected.value = { kind: 'block', blockId }
    bench.pointer.value = pointer
    bench.tab.value = 'text'
  }
  const mend = () =>
    bench.attempt(() => {
      if (!fix) return
      bench.draft.text.value = JSON.stringify(applyPatch(bench.draft.definition.value, fix.patch), null, 2)
    })
  return (
    <div>
      {message} {hint}
      <p class="row">
        <button type="button" class="link" onClick={show}>
          {isYaml && range
            ? `Show line ${range.start.line + 1}`
            : pointer === ''
              ? 'Show'
              : `Show ${pointer}`}
        </button>
        <span class="soft">{code}</span>
        {fix && (
          <button type="button" onClick={() => void mend()}>
            {fix.title}
          </button>
        )}
      </p>
    </div>
  )
}
