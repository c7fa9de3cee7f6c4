import { Agent, request } from 'undici'

/** How often, of 1, a messenger does what its documentation says that it may do. */
export interface Misbehaviour {
  /** Delivers once more, what was taken. */
  readonly twice?: number
  /** Delivers to a second address at the same time. */
  readonly toTwo?: number
  /** Delivers so much later that others come before. */
  readonly late?: number
  /** Answers a call with 429 and the time to wait. */
  readonly busy?: number
  /** Answers a call with 500, and has done nothing. */
  readonly broken?: number
  /** Does what a call asks for, and never answers. */
  readonly silent?: number
}

interface SenderOptions {
  readonly misbehaviour: Misbehaviour
  /** Evenly from [0, 1). */
  readonly random: () => number
  /** Between the first tries; real ones wait for seconds to hours. */
  readonly pauseMs?: number
}

/** A request to the webhook. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How long an answer may take. */
const patienceMs = 20_000

/** Delivers until each is taken, to any of the addresses, and not in order. */
export function createWebhookSender({ misbehaviour, random, pauseMs = 100 }: SenderOptions) {
  const urls: string[] = []
  const closing = new AbortController()
  const dispatcher = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })
  /** Answers that were no success, which a messenger complains of. */
  const refused: number[] = []
  let open = 0

  const does = (what: keyof Misbehaviour) => random() < (misbehaviour[what] ?? 0)
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  async function post({ headers, body }: Delivery): Promise<boolean> {
    const url = urls[Math.floor(random() * urls.length)]
    if (url === undefined) return false
    try {
      const response = await request(url, { method: 'POST', headers, body, dispatcher })
      await response.body.dump()
      const isTaken = response.statusCode >= 200 && response.statusCode < 300
      if (!isTaken) refused.push(response.statusCode)
      return isTaken
    } catch {
      return false
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    open += 1
    if (does('late')) await pause(pauseMs * (1 + 9 * random()))
    const copies = does('toTwo') ? 2 : 1
    for (let tries = 0; !closing.signal.aborted; tries += 1) {
      const taken = await Promise.all(Array.from({ length: copies }, () => post(delivery)))
      if (taken.includes(true)) break
      await pause(pauseMs * Math.min(2 ** tries, 20) * (0.5 + random()))
    }
    if (does('twice')) {
      await pause(pauseMs * 3 * random())
      await post(delivery)
    }
    open -= 1
  }

  return {
    urls,
    refused,
    /** Deliveries that are not taken yet. */
    get open() {
      return open
    },
    put: (delivery: Delivery) => void deliver(delivery),
    /** As `put`, done when it was taken. */
    deliver,
    close() {
      closing.abort()
      void dispatcher.destroy()
    },
  }
}
