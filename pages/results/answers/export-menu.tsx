import { useState } from 'preact/hooks'
import type { BoardProps } from '../state/board.ts'

/** Saves what the table shows as a file, all pages of it. */
export function ExportMenu({ board }: BoardProps) {
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      const { ask, flowPath, pages, place } = board
      const parts: BlobPart[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const query = { ...pages.query(), format: 'csv', limit: '500', ...(cursor !== '' && { cursor }) }
        const response = await ask(flowPath('/results', query))
        const text = await response.text()
        // Each page has the headers of the table.
        parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1))
        cursor = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1]
        cursor = cursor && decodeURIComponent(cursor)
      }
      saveFile(`results-${place.value.flow}.csv`, new Blob(parts, { type: 'text/csv' }))
    } catch (error) {
      board.hinder(error)
    }
    setSaving(false)
  }
  return (
    <button type="button" disabled={isSaving} onClick={() => void save()}>
      {isSaving ? 'Saving …' : 'Export as CSV'}
    </button>
  )
}

function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
