import { setTimeout as sleep } from 'node:timers/promises'

/** One request that was answered with 200. */
export interface Acknowledged {
  readonly client: number
  readonly message: string
  /** The place of the turn in the conversation, as the answer names it. */
  readonly place: number
}

/** A conversation that several clients take part in, and what came of it. */
export interface Conversation {
  readonly sessionId: string
  readonly resultId: string
  readonly acknowledged: Acknowledged[]
  /** Whatever was sent, answered or not. */
  readonly sent: Set<string>
}

/** What clients saw, over all conversations. */
export interface History {
  readonly conversations: Conversation[]
  /** Answers to repetitions that were not the bytes of the first. */
  readonly different: string[]
  /** By status, those that had to be repeated. */
  readonly refusals: Map<string, number>
  replays: number
  /** When requests were answered and refused, by the clock of `performance`. */
  readonly answeredAt: number[]
  readonly refusedAt: number[]
}

export interface VisitorsOptions {
  readonly address: string
  readonly conversations: number
  readonly clientsEach: number
  /** Turns after which a new conversation begins: results keep the latest 1,000 answers. */
  readonly turnsEach: number
  isOver(): boolean
}

interface Answer {
  readonly text: string
  readonly isReplayed: boolean
}

/** Everything else is an answer that no repetition changes. */
const mayBeRepeated: ReadonlySet<string> = new Set(['409', '429', '502', '503', '504', 'no answer'])

/** Makes requests to an address, and repeats each until it is answered; one with a body is named by a key. */
export function createAsk(address: string, history: Pick<History, 'answeredAt' | 'refusedAt' | 'refusals'>) {
  return async (path: string, body?: object, key = ''): Promise<Answer> => {
    const posted = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }
    for (;;) {
      const status = await fetch(address + path, { ...posted, signal: AbortSignal.timeout(25_000) }).then(
        async (response) => {
          const text = await response.text()
          if (response.status !== 200) return String(response.status)
          return { text, isReplayed: response.headers.get('idempotent-replayed') === 'true' }
        },
        () => 'no answer',
      )
      const isAnswered = typeof status !== 'string'
      history[isAnswered ? 'answeredAt' : 'refusedAt'].push(performance.now())
      if (isAnswered) return status
      if (!mayBeRepeated.has(status)) throw new Error(`${path} was answered with ${status}`)
      history.refusals.set(status, (history.refusals.get(status) ?? 0) + 1)
      await sleep(100 + Math.random() * 200)
    }
  }
}

export const emptyHistory = (): History => ({
  conversations: [],
  different: [],
  refusals: new Map(),
  replays: 0,
  answeredAt: [],
  refusedAt: [],
})

/** Talks until it is over. Each request is repeated with its key until it is answered. */
export async function talk({ address, isOver, ...options }: VisitorsOptions): Promise<History> {
  const history = emptyHistory()
  const post = createAsk(address, history)

  async function begin(key: string): Promise<Conversation> {
    const { text } = await post('/v1/flows/counting/startChat', {}, key)
    const { sessionId, resultId } = JSON.parse(text) as { sessionId: string; resultId: string }
    return { sessionId, resultId, acknowledged: [], sent: new Set() }
  }

  async function say(conversation: Conversation, client: number, message: string): Promise<void> {
    const { sessionId, acknowledged, sent } = conversation
    const path = `/v1/sessions/${sessionId}/continueChat`
    const body = { message, textBubbleContentFormat: 'markdown' }
    const key = `${sessionId}-${message}`
    sent.add(message)
    const { text } = await post(path, body, key)
    acknowledged.push({ client, message, place: placeIn(text, message) })
    if (Math.random() > 0.1) return
    const again = await post(path, body, key)
    history.replays += 1
    if (again.text !== text || !again.isReplayed)
      history.different.push(`${message}: ${text} / ${again.text}`)
  }

  async function beClient(conversation: Conversation, client: number): Promise<void> {
    for (let turn = 0; !isOver() && conversation.sent.size < options.turnsEach; turn++) {
      await say(conversation, client, `c${client}-${turn}`)
      await sleep(Math.random() * 100)
    }
  }

  async function beGroup(group: number): Promise<void> {
    for (let round = 0; !isOver(); round++) {
      const conversation = await begin(`start-of-a-conversation-${group}-${round}`)
      history.conversations.push(conversation)
      const clients = Array.from({ length: options.clientsEach }, (_, client) =>
        beClient(conversation, client),
      )
      await Promise.all(clients)
    }
  }

  await Promise.all(Array.from({ length: options.conversations }, (_, group) => beGroup(group)))
  return history
}

/** An answer says `place: message`. */
function placeIn(text: string, message: string): number {
  const { messages } = JSON.parse(text) as { messages: { content: { markdown?: string } }[] }
  const [, place, said] = /^(\d+): (.*)$/.exec(messages[0]?.content.markdown?.trim() ?? '') ?? []
  return said?.replaceAll('\\', '') === message ? Number(place) : Number.NaN
}
