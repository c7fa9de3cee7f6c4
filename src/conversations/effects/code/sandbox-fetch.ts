import type { OutgoingRequest, RequestOutcome } from '../../../engine/model/effect-payloads.ts'
import type { SandboxFetch } from '../../../ports/code-sandbox-port.ts'

/** How long code may wait for a response, in milliseconds. */
const fetchMs = 10_000

/**
 * Lets code of a flow send requests: `fetch(address, { method, headers, body })` gives the text of the response,
 * whatever its status (docs/behaviour/logic.md, "Script").
 */
export function createSandboxFetch(
  send: (request: OutgoingRequest) => Promise<RequestOutcome>,
): SandboxFetch {
  return async (address, init) => {
    const outcome = await send(requestOf(address, init))
    switch (outcome.kind) {
      case 'response':
        return outcome.text
      case 'timeout':
        throw new Error('The request timed out')
      case 'failed':
        throw new Error(outcome.message)
      case 'off':
      case 'spent':
      case 'refused':
        throw new Error(outcome.reason)
    }
  }
}

function requestOf(address: string, init: unknown): OutgoingRequest {
  const { method = 'GET', headers, body } = Object(init) as Record<string, unknown>
  return {
    method: String(method).toUpperCase(),
    url: address,
    headers: headersOf(headers),
    ...(body !== undefined && body !== null && { body: String(body) }),
    timeoutMs: fetchMs,
  }
}

function headersOf(headers: unknown): [string, string][] {
  if (Array.isArray(headers)) {
    return headers.flatMap((pair) => (Array.isArray(pair) ? [[String(pair[0]), String(pair[1])]] : []))
  }
  return Object.entries(Object(headers)).map(([name, value]) => [name, String(value)])
}
