import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** A receiver of orders that takes its time, and remembers what came under which `Idempotency-Key`. */
export interface Orders {
  readonly url: string
  /** Keys under which different orders came, and orders that came without one. */
  unclear(): string[]
  /** Orders that came, and keys that they came under. */
  count(): { readonly orders: number; readonly keys: number }
  close(): void
}

export async function startOrders(): Promise<Orders> {
  const bodies = new Map<string, Set<string>>()
  let orders = 0
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    orders += 1
    const key = String(request.headers['idempotency-key'])
    bodies.set(key, (bodies.get(key) ?? new Set()).add(body))
    await sleep(20 + Math.random() * 60)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    unclear: () =>
      [...bodies].flatMap(([key, each]) =>
        each.size > 1 || key === 'undefined' ? [`${key}: ${[...each].join(', ')}`] : [],
      ),
    count: () => ({ orders, keys: bodies.size }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
