/** Sends one request, and reads what is answered. Throws for anything but success. */
export async function post(address: string, path: string, body: unknown): Promise<string> {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
  return text
}
