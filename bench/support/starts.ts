import autocannon from 'autocannon'
import type { Json } from '../../test/support/json.ts'

/** Starts so many sessions of a flow. What is answered is handed over as it comes. */
export async function startMany(
  address: string,
  flow: Json,
  { count, body = {}, onAnswer }: { count: number; body?: Json; onAnswer?: (answer: string) => void },
): Promise<void> {
  const request: autocannon.Request = {
    method: 'POST',
    path: `/v1/flows/${flow['publicId']}/startChat`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(onAnswer && { onResponse: (_status, answer) => onAnswer(answer) }),
  }
  const result = await autocannon({ url: address, connections: 32, amount: count, requests: [request] })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of ${count} starts failed`)
}

/** The session that a start was answered with. */
export function sessionIdIn(answer: string): string {
  const [, id = ''] = /"sessionId":"([^"]+)"/.exec(answer) ?? []
  return id
}
