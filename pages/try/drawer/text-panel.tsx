import { lazy } from '../../shared/lazy.tsx'
import type { Form } from '../state/draft.ts'
import { switchForm } from '../state/other-form.ts'
import type { BenchProps } from '../state/workbench.ts'

const TextEditor = lazy(async () => (await import('../editor/text-editor.tsx')).TextEditor)

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

export const formNames: Readonly<Record<Form, string>> = { json: 'JSON', yaml: 'YAML' }

/** The text of the draft, in either form. */
export function TextPanel({ bench }: BenchProps) {
  const { text, form, problem, findings, placeOf } = bench.draft
  return (
    <>
      <fieldset class="forms" aria-label="Form of the text">
        {(['json', 'yaml'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={form.value === one}
            onClick={() => form.value !== one && void switchForm(bench, one)}
          >
            {formNames[one]}
          </button>
        ))}
      </fieldset>
      <p role="alert">{problem.value}</p>
      <TextEditor
        key={form.value}
        form={form.value}
        text={text.value}
        findings={findings.value}
        reveal={bench.pointer.value}
        placeOf={placeOf}
        cspNonce={nonce}
        onChange={(given) => {
          text.value = given
        }}
      />
    </>
  )
}
