import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Description } from '../support/openapi-document.ts'
import { type Attack, attack, playAttack } from './attacks.ts'
import { type BuiltService, type Held, startBuiltService } from './built-service.ts'
import { openLine } from './exchange.ts'
import { createFloor } from './floor.ts'
import { Complaint, createJudge } from './judge.ts'
import { makeSetting } from './setting.ts'
import { createWitness } from './witness.ts'

/** An attack that the service did not stand, as small as it could be made, and where to find it again. */
export interface Failure {
  readonly seed: number
  readonly path: string
  readonly attack: string
  readonly reason: string
}

/** What came of the attacks so far. */
export interface Tally {
  readonly answered: number
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** The first that was found; nobody attacks any more then. */
  readonly failure: Failure | undefined
  /** What was complained about, but not again when the same was done once more, with nobody else there. */
  readonly unrepeated: readonly string[]
  /** Whether the service ended by itself. */
  readonly hasEnded: boolean
}

/** The built service, and attackers that are let loose on it. */
export interface Campaign {
  readonly tally: Tally
  /** Attacks until so many requests were answered since the beginning. */
  attackUntil(answered: number): Promise<void>
  /** Makes one attack again. */
  repeat(seed: number, path: string): Promise<void>
  measure(): Promise<Held>
  residentBytes: BuiltService['residentBytes']
  /** Ends the service; the code it ended with. */
  close(): Promise<number | null>
}

/** Attacks behind one seed: the path of a failure counts them. */
const attacksPerSeed = 40

type Checked = fc.RunDetails<[Attack]>

/** Starts the built service, to be attacked by several at once with what comes from the seeds behind the first. */
export async function openCampaign(firstSeed: number, atOnce: number): Promise<Campaign> {
  const setting = makeSetting()
  const unrepeated: string[] = []
  const statuses = new Map<number, number>()
  const tally = {
    answered: 0,
    statuses,
    failure: undefined as Failure | undefined,
    unrepeated,
    hasEnded: false,
  }
  const service = await startBuiltService(setting.variables, () => {
    tally.hasEnded = true
  })
  const judge = createJudge(await readDescription(service.address))
  const floor = createFloor()
  let isFound = false
  let seed = firstSeed

  function count({ status }: { readonly status: number }): void {
    tally.answered += 1
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  function createAttacker() {
    const line = openLine(service.address)
    const witness = createWitness(line)
    const readLog = async () => {
      const requestId = randomUUID()
      const logged = service.logged(requestId)
      await line.send({
        method: 'GET',
        path: '/health',
        headers: { 'x-request-id': requestId },
        body: undefined,
      })
      await logged
    }
    const attempt = async (attacked: Attack) => {
      const told = service.errors.length
      await playAttack(attacked, { line, judge, onAnswer: count }).finally(readLog)
      await witness.speak()
      if (service.errors.length > told) throw new Complaint(service.errors.slice(told).join('\n'))
    }
    let isFinder = false
    const property = fc.asyncProperty(attack, async (attacked) => {
      if (isFinder) return attempt(attacked)
      if (isFound) return
      const complaint = await floor.together(() => attempt(attacked)).catch((error: unknown) => ({ error }))
      if (!complaint) return
      // What goes wrong for one may be the deed of another: the same once more, with nobody else there.
      await floor.alone(async () => {
        if (isFound) return
        const again = await attempt(attacked).catch((error: unknown) => ({ error }))
        if (!again) unrepeated.push(String(complaint.error))
        else {
          isFound = true
          isFinder = true
          throw again.error
        }
      })
    })
    return { property, close: () => line.close() }
  }

  function note(
    ofSeed: number,
    { failed, counterexample, counterexamplePath, errorInstance }: Checked,
  ): void {
    if (!failed || tally.failure) return
    tally.failure = {
      seed: ofSeed,
      path: String(counterexamplePath),
      attack: fc.stringify(counterexample),
      reason: errorInstance instanceof Error ? String(errorInstance.stack) : String(errorInstance),
    }
  }

  return {
    tally,
    async attackUntil(most) {
      const attackers = Array.from({ length: atOnce }, createAttacker)
      const attacking = attackers.map(async ({ property, close }) => {
        while (!isFound && !tally.hasEnded && tally.answered < most) {
          const ofSeed = seed++
          note(ofSeed, await fc.check(property, { seed: ofSeed, numRuns: attacksPerSeed }))
        }
        await close()
      })
      await Promise.all(attacking)
    },
    async repeat(ofSeed, path) {
      const { property, close } = createAttacker()
      note(ofSeed, await fc.check(property, { seed: ofSeed, path, endOnFailure: true }))
      await close()
    },
    measure: service.measure,
    residentBytes: service.residentBytes,
    async close() {
      const code = tally.hasEnded ? null : await service.stop()
      setting.remove()
      return code
    },
  }
}

async function readDescription(address: string): Promise<Description> {
  const response = await fetch(`${address}/openapi.json`)
  return (await response.json()) as Description
}
