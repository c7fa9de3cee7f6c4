/** Characters of a refusal that are read. */
const longestRefusal = 64 * 1024

/** The text with which a server refuses a request whose answer is read piece by piece. */
export async function readRefusal(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > longestRefusal) break
  }
  return text
}
