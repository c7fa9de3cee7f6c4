import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { FlowState, FlowStates } from '../../../client/client.ts'
import { assign } from '../../shared/assign.ts'
import type { BenchProps } from '../state/workbench.ts'

const flows = signal<readonly FlowState[]>([])

/** Characters of a file that is taken; the service takes less. */
const longest = 16 * 1024 * 1024

/** Takes a file, however it came. */
export async function openFile({ bench }: BenchProps, file: File): Promise<void> {
  await bench.attempt(async () => {
    if (file.size > longest) throw new Error('This file is too long for a flow')
    const text = await file.text()
    await bench.openText(text, { kind: 'file', label: file.name })
  })
}

/** Where a flow to try comes from: a published one, a file, a text. */
export function OpenDialog({ bench }: BenchProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = bench.isOpening.value
  useEffect(() => {
    if (!isOpen) {
      dialog.current?.close()
      return
    }
    dialog.current?.showModal()
    void loadFlows().then(() => dialog.current?.querySelector<HTMLElement>('.choice-line')?.focus())
  }, [isOpen])
  return (
    <dialog ref={dialog} aria-labelledby="open-title" onClose={assign(bench.isOpening, false)}>
      <h2 id="open-title">Open a flow</h2>
      <ul class="published">
        {flows.value.map(({ publicId, name }) => (
          <li key={publicId}>
            <button
              type="button"
              class="choice-line"
              onClick={() => publicId !== undefined && void bench.openPublished(publicId)}
            >
              {name ?? publicId}
            </button>
          </li>
        ))}
      </ul>
      <p>Or drop a file anywhere on this page, paste its text, or pick it:</p>
      <input
        id="open-file"
        type="file"
        accept=".json,.yaml,.yml,application/json"
        aria-label="File of a flow"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) void openFile({ bench }, file)
        }}
      />
      <p class="soft">It stays in this tab, and is sent only with the conversations that you begin.</p>
      <p role="alert">{bench.problem.value}</p>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

/** A list that can not be had leaves files to open. */
async function loadFlows(): Promise<void> {
  const response = await fetch('/published-flows').catch(() => undefined)
  if (!response?.ok) return
  const { flows: all } = (await response.json()) as FlowStates
  flows.value = all.filter(({ publicId, state }) => publicId !== undefined && state !== 'broken')
}
