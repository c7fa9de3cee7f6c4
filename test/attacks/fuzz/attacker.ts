import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type Attack, playAttack } from './attacks.ts'
import { type Answer, openLine } from './exchange.ts'
import type { Floor } from './floor.ts'
import { Complaint, type Concern, concernOf, type Judge } from './judge.ts'
import type { ProbedService } from './probed-service.ts'
import { createWitness } from './witness.ts'

/** Units of work, of about a millisecond each, that one attack may stop the event loop for. */
const longestStop = 100

/** What an attacker shares with the others. */
export interface Campaigning {
  readonly service: ProbedService
  readonly judge: Judge
  readonly floor: Floor
  readonly attack: fc.Arbitrary<Attack>
  readonly onAnswer: (answer: Answer) => void
  /** Whether a complaint is not to be looked into any more: all is over, or there is one like it. */
  isKnown(attacked: Attack, about: Concern): boolean
  /** Of a complaint that nobody made again, when the same was done once more, with nobody else there. */
  onUnrepeated(error: unknown): void
  /** Of one that was made again; whether the attack is then to be made as small as it can be. */
  onRepeated(attacked: Attack, error: unknown): boolean
}

/** Somebody who attacks, one attack after the other. */
export function createAttacker(campaigning: Campaigning) {
  const { service, judge, floor, onAnswer } = campaigning
  const line = openLine(service.address)
  const witness = createWitness(line)

  async function readLog(): Promise<void> {
    const requestId = randomUUID()
    const logged = service.logged(requestId)
    await line.send({
      method: 'GET',
      // Probes such as /health are not logged.
      path: '/nothing',
      headers: { 'x-request-id': requestId },
      body: undefined,
    })
    await logged
  }

  async function attempt(attacked: Attack): Promise<void> {
    const logged = service.errors.length
    const stopped = service.stops.length
    await playAttack(attacked, { line, judge, onAnswer }).finally(readLog)
    const stop = Math.max(0, ...service.stops.slice(stopped))
    if (stop > longestStop) {
      throw new Complaint(`the event loop stood still for ${Math.round(stop)} units`, { about: 'stop' })
    }
    await witness.speak()
    if (service.errors.length > logged) throw new Complaint(service.errors.slice(logged).join('\n'))
  }

  const failureOf = (attacked: Attack) => attempt(attacked).then(nothing, (error: unknown) => ({ error }))

  let isFinder = false
  const property = fc.asyncProperty(campaigning.attack, async (attacked) => {
    if (isFinder) return attempt(attacked)
    const complaint = await floor.together(() => failureOf(attacked))
    if (!complaint || campaigning.isKnown(attacked, concernOf(complaint.error))) return
    // What goes wrong for one may be the deed of another: the same once more, with nobody else there.
    await floor.alone(async () => {
      if (campaigning.isKnown(attacked, concernOf(complaint.error))) return
      const again = await failureOf(attacked)
      if (!again) campaigning.onUnrepeated(complaint.error)
      else if (campaigning.onRepeated(attacked, again.error)) {
        isFinder = true
        throw again.error
      }
    })
  })
  return { property, close: () => line.close() }
}

function nothing(): undefined {}
