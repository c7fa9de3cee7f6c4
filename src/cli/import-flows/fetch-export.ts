import { parseDefinition } from '../../definition/parse-definition.ts'

/** An answer beyond this size is a mistake, not a flow. */
const mostMebibytes = 32
const deadlineMs = 60_000

/** Gets the JSON at an address. Throws with a reason that holds neither the token nor what was answered. */
export async function fetchExport(address: string, token?: string): Promise<unknown> {
  const response = await fetch(address, {
    headers: { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    // The token is for this address alone, and so is the trust in it.
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  }).catch((error: Error) => {
    throw new Error(`does not answer (${reasonOf(error)})`, { cause: error })
  })
  if (response.ok) return parseDefinition(await textOf(response))
  await response.body?.cancel()
  throw new Error(`answers with ${response.status}${response.status === 401 ? ': check --token' : ''}`)
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > mostMebibytes * 1024 * 1024) throw new Error(`answers with more than ${mostMebibytes} MiB`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** `fetch` reports a failed connection in general terms; the system's error is its cause. */
export function reasonOf({ cause, message }: Error): string {
  const { code, message: inner } = Object(cause) as Partial<NodeJS.ErrnoException>
  return code ?? inner ?? message
}
