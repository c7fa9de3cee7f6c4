/** Characters of a draft that a link may unfold to: a few bytes can be made to stand for any number. */
const longest = 4 * 1024 * 1024

/** The part of an address behind `#` that holds a draft. Browsers never send it. */
export async function linkTo(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `#draft=${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** The draft in the part of an address behind `#`; undefined where there is none. Throws for one that can not be read. */
export async function draftIn(hash: string): Promise<string | undefined> {
  const encoded = /^#draft=([\w-]+)$/.exec(hash)?.[1]
  if (encoded === undefined) return undefined
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const decoder = new TextDecoder()
  let text = ''
  const reader = unpacked.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > longest) {
      await reader.cancel()
      throw new Error('The draft in this link is too long')
    }
  }
}
