/** Has the browser save a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  link.download = name
  link.click()
  // Later than the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
