import type { Form } from '../state/draft.ts'
import { linkTo } from '../state/draft-link.ts'
import type { BenchProps } from '../state/workbench.ts'

const endings: Readonly<Record<Form, string>> = { json: '.json', yaml: '.flow.yaml' }

/** What can be made of a conversation, and of its draft. */
export function SaveMenu({ bench }: BenchProps) {
  const { draft, trial, token } = bench
  const name =
    (draft.origin.value?.label ?? 'draft')
      .replace(/\.json$|(?:\.flow)?\.ya?ml$/i, '')
      .replace(/[^\w.-]+/g, '-') || 'draft'
  const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const saveTest = async () => {
    const { writeFlowTest } = await import('./flow-test.ts')
    const tried = {
      client: bench.client(),
      body: trial.startBody(),
      moments: trial.moments.value,
      flow: name + endings[draft.form.value],
    }
    download(`${name}.flowtest.yaml`, await writeFlowTest(tried))
  }
  const saveFlow = (form: Form) => async () => {
    const { textIn } = await import('../state/other-form.ts')
    download(name + endings[form], await textIn(bench, form))
  }
  const saveRecording = async () => {
    if (!trial.isReal.value)
      throw new Error('Only what is sent for real is recorded: turn that on, and start again')
    download(`${name}.recording.json`, asJson(await trial.recording()))
  }
  const saveCommands = async () => {
    const { writeCurlCommands } = await import('./curl-commands.ts')
    const asked = {
      body: trial.startBody(),
      moments: trial.moments.value,
      needsToken: token.value !== undefined,
    }
    download(`${name}.sh`, writeCurlCommands(asked))
  }
  const copyLink = async () => {
    const link = `${location.origin}/try${await linkTo(draft.text.value)}`
    await navigator.clipboard.writeText(link)
    bench.told.value = 'The link is copied. The draft is in it: whoever has the link has the draft.'
  }
  const item = (label: string, act: () => Promise<void> | void) => (
    <button
      type="button"
      class="choice-line"
      onClick={({ currentTarget }) => {
        currentTarget.closest('details')?.removeAttribute('open')
        void bench.attempt(act)
      }}
    >
      {label}
    </button>
  )
  return (
    <details class="menu">
      <summary>Save</summary>
      <div>
        {item('Flow test', saveTest)}
        {item('Recording', saveRecording)}
        {item('curl commands', saveCommands)}
        {item('Flow (JSON)', saveFlow('json'))}
        {item('Flow (YAML)', saveFlow('yaml'))}
        {item('Turns (JSON)', () => download(`${name}.turns.json`, asJson(trial.moments.value)))}
        {item('Copy link to this draft', copyLink)}
      </div>
    </details>
  )
}

/** Has the browser save a file. */
function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  link.download = name
  link.click()
  // Later than the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
