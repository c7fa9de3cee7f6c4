/**
 * The data of each server-sent event, wherever the bytes are cut. Fields other than `data` tell nothing here, and
 * comments keep a connection alive.
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (line === '' && data.length > 0) {
      yield data.join('\n')
      data = []
    }
    const [, value] = /^data(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === 'data' || value !== undefined) data.push(value ?? '')
  }
  // Some servers forget the blank line behind the last one.
  if (data.length > 0) yield data.join('\n')
}

/** A line ends with `\n`, `\r\n` or `\r`. Each character is looked at once, however small the pieces are. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun = ''
  let isAfterReturn = false
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    if (text === '') continue
    const [first = '', ...others] = (isAfterReturn && text.startsWith('\n') ? text.slice(1) : text).split(
      /\r\n|\n|\r/,
    )
    isAfterReturn = text.endsWith('\r')
    begun += first
    for (const next of others) {
      yield begun
      begun = next
    }
  }
  begun += decoder.decode()
  if (begun !== '') yield begun
}
