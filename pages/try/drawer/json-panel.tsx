import { lazy } from '../../shared/lazy.tsx'
import type { BenchProps } from '../state/workbench.ts'

const JsonEditor = lazy(async () => (await import('../editor/json-editor.tsx')).JsonEditor)

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

/** The text of the draft. */
export function JsonPanel({ bench }: BenchProps) {
  const { text, problem, findings } = bench.draft
  return (
    <>
      <p role="alert">{problem.value}</p>
      <JsonEditor
        text={text.value}
        findings={findings.value}
        reveal={bench.pointer.value}
        cspNonce={nonce}
        onChange={(given) => {
          text.value = given
        }}
      />
    </>
  )
}
