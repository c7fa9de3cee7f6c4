/** The fields of a form in parts; a file is `name: content`. */
export async function readParts(type: string, content: Uint8Array): Promise<Record<string, string>> {
  const form = await new Response(Buffer.from(content), { headers: { 'content-type': type } }).formData()
  const parts: Record<string, string> = {}
  for (const [name, part] of form) {
    parts[name] = typeof part === 'string' ? part : `${part.name}: ${await part.text()}`
  }
  return parts
}
