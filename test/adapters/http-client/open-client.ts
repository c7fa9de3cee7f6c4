import { onTestFinished } from 'vitest'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import type { Lookup } from '../../../src/adapters/http-client/egress/destination-policy.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import type { OutgoingOptions } from '../../../src/ports/http-client-port.ts'
import type { OutgoingRequest } from '../../../src/ports/known-types.ts'

export type RequestPart = Partial<OutgoingRequest> & Pick<OutgoingRequest, 'url'>

const unresolved: Lookup = async (host) => {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
}

/** Answers from a table; what is not in it does not resolve. */
export function resolver(table: Readonly<Record<string, readonly string[]>>): Lookup {
  return async (host) => (Object.hasOwn(table, host) ? table[host]! : unresolved(host))
}

/** A client that lives as long as the test, with requests that are GET and have ten seconds. */
export function openClient(allow = '', lookup: Lookup | 'system' = unresolved) {
  const client = createHttpClient({ allow: parseAllowList(allow), ...(lookup !== 'system' && { lookup }) })
  onTestFinished(() => client.close())
  const complete = (part: RequestPart): OutgoingRequest => ({
    method: 'GET',
    headers: [],
    timeoutMs: 10_000,
    ...part,
  })
  return {
    client,
    send: (part: RequestPart, options?: OutgoingOptions) => client.send(complete(part), options),
    stream: (part: RequestPart, options?: OutgoingOptions) => client.stream(complete(part), options),
  }
}
