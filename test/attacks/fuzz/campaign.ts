import fc from 'fast-check'
import type { Description } from '../../support/openapi-document.ts'
import { createAttacker } from './attacker.ts'
import { type Attack, attacks } from './attacks.ts'
import { createFloor } from './floor.ts'
import { type Concern, concernOf, createJudge } from './judge.ts'
import { type Build, type Held, type ProbedService, startProbedService } from './probed-service.ts'
import { makeSetting } from './setting.ts'

/** An attack that the service did not stand, as small as it could be made, and where to find it again. */
export interface Failure {
  readonly seed: number
  readonly path: string
  readonly attack: string
  readonly reason: string
}

/** The first attack of its kind that the service did not stand in one respect, as it was made. */
export interface Finding {
  readonly kind: Attack['kind']
  readonly about: Concern
  /** How many requests were answered before. */
  readonly after: number
  readonly attack: string
  readonly reason: string
}

/** What came of the attacks so far. */
export interface Tally {
  readonly answered: number
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** The first that was found; nobody attacks any more then, unless the campaign goes on. */
  readonly failure: Failure | undefined
  /** What was found in a campaign that goes on. */
  readonly findings: readonly Finding[]
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
  residentBytes: ProbedService['residentBytes']
  /** Ends the service; the code it ended with. */
  close(): Promise<number | null>
}

export interface CampaignOptions {
  readonly firstSeed: number
  readonly atOnce: number
  readonly build: Build
  /** The kinds of attacks that are made, or none for all. */
  readonly only: readonly string[]
  /** Whether it goes on when something was found, and looks for something else. */
  readonly goesOn: boolean
  /** Called with each finding of a campaign that goes on, as it is made. */
  onFinding(finding: Finding): void
}

/** Attacks behind one seed: the path of a failure counts them. */
const attacksPerSeed = 40

type Checked = fc.RunDetails<[Attack]>

/** Starts the built service, to be attacked by several at once with what comes from the seeds behind the first. */
export async function openCampaign(options: CampaignOptions): Promise<Campaign> {
  const setting = makeSetting()
  const { build, atOnce, goesOn, only } = options
  const variables = { ...setting.variables, ...build.variables }
  const findings: Finding[] = []
  const unrepeated: string[] = []
  const statuses = new Map<number, number>()
  const tally = {
    answered: 0,
    statuses,
    failure: undefined as Failure | undefined,
    findings,
    unrepeated,
    hasEnded: false,
  }
  const service = await startProbedService({ ...build, variables }, () => {
    tally.hasEnded = true
  })
  let isFound = false
  let seed = options.firstSeed

  const campaigning = {
    service,
    judge: createJudge(await readDescription(service.address)),
    floor: createFloor(),
    attack: attacks(only),
    onAnswer({ status }: { readonly status: number }) {
      tally.answered += 1
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },
    isKnown: ({ kind }: Attack, about: Concern) =>
      isFound || findings.some((finding) => finding.kind === kind && finding.about === about),
    onUnrepeated(error: unknown) {
      // Several large requests at once stop the event loop for longer than one of them.
      if (concernOf(error) !== 'stop') unrepeated.push(String(error))
    },
    onRepeated(attacked: Attack, error: unknown) {
      isFound = !goesOn
      if (goesOn) {
        const attack = fc.stringify(attacked)
        const { answered: after } = tally
        const finding = {
          kind: attacked.kind,
          about: concernOf(error),
          after,
          attack,
          reason: String(error),
        }
        findings.push(finding)
        options.onFinding(finding)
      }
      return isFound
    },
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
      const attackers = Array.from({ length: atOnce }, () => createAttacker(campaigning))
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
      const { property, close } = createAttacker(campaigning)
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
