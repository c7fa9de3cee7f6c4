import { setTimeout as sleep } from 'node:timers/promises'
import { checkEvents, startWebhookReceiver, webhookSecret } from '../../support/webhook-receiver.ts'
import { deliveryFaults, strikeUntil } from './faults.ts'
import { adminToken } from './member.ts'
import { type History, talk } from './visitors.ts'
import { startWorld } from './world.ts'

export interface DeliveriesReport {
  readonly history: History
  readonly faults: ReadonlyMap<string, number>
  /** Events that arrived. */
  readonly delivered: number
  /** How many of them arrived once more, and at most may. */
  readonly repeated: { readonly times: number; readonly most: number }
  readonly violations: Readonly<Record<'forged' | 'missing' | 'outOfOrder' | 'again', readonly string[]>>
}

interface DeliveriesOptions {
  readonly dist: string
  readonly seconds: number
  /** Nothing goes wrong but the receiver, and what has not arrived is not waited for. */
  readonly isControl?: boolean
}

/** Longer than the lease of a delivery. */
const pauseMs = 31_000

/** After the last fault: what leases take, and the retries. */
const settleMs = 40_000

/** Deliveries of three processes under way at once: as many may be sent once more by a fault. */
const mostUnderWay = 24

/** Lets a receiver that fails at random be told what is said while things go wrong, and checks that it knows all of it. */
export async function runDeliveryChaos({
  dist,
  seconds,
  isControl = false,
}: DeliveriesOptions): Promise<DeliveriesReport> {
  const receiver = await startWebhookReceiver({ cuts: false })
  const world = await startWorld({ dist, hasRightClocks: true })
  try {
    const endpoint = { url: receiver.url, secrets: [webhookSecret], includesContent: true }
    // Put to each, so that all of them know of it.
    for (const { port } of world.members) await putEndpoint(`http://127.0.0.1:${port}`, endpoint)
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const [first, ...others] = world.members
    async function sleepPastLeases(): Promise<number> {
      let times = 0
      for (; !isOver(); times++) {
        await sleep(seconds * 400)
        first?.signal('SIGSTOP')
        await sleep(pauseMs)
        first?.signal('SIGCONT')
      }
      return times
    }
    const sleeping = isControl ? 0 : sleepPastLeases()
    const striking = isControl
      ? new Map<string, number>()
      : strikeUntil({ ...world, members: others }, isOver, deliveryFaults)
    const crowd = { conversations: 12, clientsEach: 2, turnsEach: 8 }
    const talking = talk({ address: world.address, ...crowd, isOver })
    const [history, struck, slept] = await Promise.all([talking, striking, sleeping])
    const faults = new Map(struck)
    if (slept > 0) faults.set('a process that sleeps past the leases of its deliveries', slept)
    const check = () => {
      const checked = history.conversations.map(({ sessionId, acknowledged }) => {
        const said = acknowledged.toSorted((one, other) => one.place - other.place)
        const messages = said.map(({ message }) => message)
        return checkEvents(receiver, { sessionId, said: messages, acknowledged: messages })
      })
      return {
        missing: checked.flatMap(({ missing }) => missing),
        outOfOrder: checked.flatMap(({ outOfOrder }) => outOfOrder),
      }
    }
    const settled = performance.now() + settleMs
    while (!isControl && performance.now() < settled && check().missing.length > 0) await sleep(500)
    // What is sent once more is so by then.
    await sleep(1500)
    const most = [...faults.values()].reduce((sum, times) => sum + times, 0) * mostUnderWay
    const { taken, again, forged } = receiver
    const violations = { ...check(), forged, again: again.length > most ? again : [] }
    return { history, faults, delivered: taken.length, repeated: { times: again.length, most }, violations }
  } finally {
    await world.close()
    receiver.close()
  }
}

async function putEndpoint(address: string, endpoint: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` }
  const body = JSON.stringify(endpoint)
  const response = await fetch(`${address}/v1/webhooks/crm`, { method: 'PUT', headers, body })
  if (!response.ok) throw new Error(`the webhook was refused: ${response.status} ${await response.text()}`)
}
