import { useState } from 'preact/hooks'
import type { BoardProps } from '../state/board.ts'

const formats = [
  { format: 'csv', label: 'Spreadsheet (CSV)' },
  { format: 'ndjson', label: 'A line of JSON each (NDJSON)' },
  { format: 'parquet', label: 'For data tools (Parquet)' },
] as const

/** Saves all that the table shows, on whatever page, as a file; the audit of the service names who did. */
export function ExportMenu({ board }: BoardProps) {
  const [isSaving, setSaving] = useState(false)
  const save = async (format: string) => {
    setSaving(true)
    try {
      const { ask, flowPath, pages, place } = board
      const response = await ask(flowPath('/results/export', { ...pages.query(), format }))
      saveFile(`results-${place.value.flow}.${format}`, await response.blob())
    } catch (error) {
      board.hinder(error)
    }
    setSaving(false)
  }
  return (
    <details class="menu">
      <summary>{isSaving ? 'Saving …' : 'Export'}</summary>
      <fieldset disabled={isSaving}>
        <legend class="unseen">Format of the file</legend>
        {formats.map(({ format, label }) => (
          <button key={format} type="button" onClick={() => void save(format)}>
            {label}
          </button>
        ))}
      </fieldset>
    </details>
  )
}

function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
