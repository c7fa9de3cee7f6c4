import { setTimeout } from 'node:timers/promises'
import type { Line } from './exchange.ts'
import { Complaint } from './judge.ts'

/** Somebody whose conversation goes on as if nothing happened, or who complains. */
export interface Witness {
  /** Says something, and looks whether the answer holds all that was said before. */
  speak(): Promise<void>
}

/** After so many answers the conversation begins anew, as each of them is longer. */
const mostSaid = 30

/** How often somebody comes back a second later, when the service says that it has too much to do. */
const mostAgain = 20

/** Lets somebody converse with the flow `witness` over a line. */
export function createWitness(line: Line): Witness {
  let sessionId: unknown
  let said: string[] = []

  async function post(path: string, message?: string) {
    const body = Buffer.from(JSON.stringify({ message, textBubbleContentFormat: 'markdown' }))
    const headers = { 'content-type': 'application/json' }
    let answer = await line.send({ method: 'POST', path, headers, body })
    for (let again = 0; answer.status === 503 && again < mostAgain; again += 1) {
      await setTimeout(1000)
      answer = await line.send({ method: 'POST', path, headers, body })
    }
    // Whoever complains about a conversation that is gone begins another one.
    if (answer.status !== 200) sessionId = undefined
    if (answer.status !== 200)
      throw new Complaint(`the witness was answered ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body.toString())
  }

  return {
    async speak() {
      if (sessionId === undefined || said.length === mostSaid) {
        sessionId = (await post('/v1/flows/witness/startChat')).sessionId
        said = []
      }
      const word = `word-${said.length}`
      said.push(word)
      const { messages, input } = await post(`/v1/sessions/${sessionId}/continueChat`, word)
      const [shown] = messages
      const heard = shown?.content.markdown.match(/word-\d+/g) ?? []
      if (String(heard) !== String(said) || messages.length !== 1 || input?.id !== 'said') {
        throw new Complaint(`the witness has said ${said}, and saw ${JSON.stringify({ messages, input })}`)
      }
    },
  }
}
