import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildApp } from '../../../src/compose/app.ts'
import { composeService } from '../../../src/compose/composition-root.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { type Line, openLine } from './exchange.ts'
import { createJudge } from './judge.ts'
import type { Tried } from './play.ts'
import { makeSetting } from './setting.ts'
import { createWitness, type Witness } from './witness.ts'

/** What each property begins with: a fixed number, as a suite is to say the same every time. `npm run fuzz` wanders. */
const seed = 20_261_121

interface Running extends Tried {
  readonly witness: Witness
  /** What was told the operator as an error. */
  readonly errors: string[]
  close(): Promise<void>
}

/** Runs the whole service inside the tests of a file. Returns a check that lets something happen to it many times. */
export function tryService() {
  let running: Running
  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running.close())

  return async <Attack>(
    attacks: fc.Arbitrary<Attack>,
    play: (attack: Attack, tried: Tried) => Promise<void>,
    numRuns: number,
  ): Promise<number> => {
    const prototypes = ownKeysOfPrototypes()
    let answered = 0
    const tried = { ...running, onAnswer: () => answered++ }
    const property = fc.asyncProperty(attacks, async (attack) => {
      await play(attack, tried)
      await running.witness.speak()
      expect(running.errors.splice(0).filter((line) => !tellsOfAbsence(line))).toEqual([])
      expect(ownKeysOfPrototypes()).toEqual(prototypes)
    })
    await fc.assert(property, { seed, numRuns })
    return answered
  }
}

/** The messengers of the setting are away: an operator is told so where a file that somebody sent has to be fetched from one. */
const tellsOfAbsence = (line: string) => {
  const { err, msg } = JSON.parse(line)
  return msg === 'a message could not be answered' && err.message === 'The connection was refused'
}

/** Milliseconds: a turn that means harm is to be over soon, as there are many of them. */
const impatientLimits = { codeMs: 50, codeTurnMs: 100, blockMs: 300 }

async function start(): Promise<Running> {
  const setting = makeSetting()
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (text) => errors.push(text) })
  const { config, reach } = await loadConfig(setting.variables)
  const limits = { ...config.limits, ...impatientLimits }
  const assembly = await composeService({ config: { ...config, limits }, reach }, log)
  const app = await buildApp(assembly.dependencies)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const line: Line = openLine(`http://127.0.0.1:${port}`)
  // What is remarked on the published flows belongs to them.
  errors.length = 0
  const document = (await app.inject('/openapi.json')).json()
  return {
    line,
    judge: createJudge(document),
    onAnswer: () => undefined,
    witness: createWitness(line),
    errors,
    async close() {
      await line.close()
      await app.close()
      await assembly.close()
      setting.remove()
    },
  }
}

function ownKeysOfPrototypes() {
  return [Object, Array, Function, String].map(({ prototype }) => Reflect.ownKeys(prototype))
}
