import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { kinds, type Memory, type Repeat } from './kinds.ts'
import { type SoakedService, startSoakedService } from './service.ts'

const mebibyte = 1024 * 1024

/** What a round of thousands may add to the process once its garbage is collected: a kilobyte for each is too much. */
const usualMost: Memory = { heap: mebibyte, external: mebibyte, resident: 10 * mebibyte }

const warmUp = 400
const usualTimes = 1_600
const atOnce = 8

/**
 * What is lost is lost in every round, so that each measure has to be flat in one of them; what a round adds by chance, as
 * memory is given out in chunks, another does not.
 */
const rounds = 4

let shared: SoakedService

beforeAll(async () => {
  shared = await startSoakedService()
}, 60_000)

afterAll(() => shared?.stop())

let number = 0

async function repeat(times: number, once: Repeat): Promise<void> {
  let left = times
  const work = async () => {
    while (left-- > 0) await once(number++)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function measure(service: SoakedService): Promise<Memory> {
  const { heapUsed, external } = await service.measure()
  return { heap: heapUsed, external, resident: service.residentBytes() ?? 0 }
}

const grown = (before: Memory, after: Memory): Memory => ({
  heap: after.heap - before.heap,
  external: after.external - before.external,
  resident: after.resident - before.resident,
})

/** The least that each measure has grown by in a round. */
const leastOf = (growths: readonly Memory[]): Memory => ({
  heap: Math.min(...growths.map(({ heap }) => heap)),
  external: Math.min(...growths.map(({ external }) => external)),
  resident: Math.min(...growths.map(({ resident }) => resident)),
})

const isWithin = (growth: Memory, most: Memory) =>
  growth.heap <= most.heap && growth.external <= most.external && growth.resident <= most.resident

describe('memory stays flat over thousands', () => {
  it.each(kinds)(
    'of $name',
    { timeout: 240_000 },
    async ({ prepare, times = usualTimes, most, memoryBytes }) => {
      const service = memoryBytes === undefined ? shared : await startSoakedService(memoryBytes)
      onTestFinished(() => (service === shared ? undefined : service.stop()))
      const isFlat = (growths: readonly Memory[]) => isWithin(leastOf(growths), { ...usualMost, ...most })
      const once = await prepare(service)
      await repeat(Math.min(warmUp, times), once)
      const growths: Memory[] = []
      for (let before = await measure(service); growths.length < rounds && !isFlat(growths); ) {
        await repeat(times, once)
        const after = await measure(service)
        growths.push(grown(before, after))
        before = after
      }
      expect(isFlat(growths), JSON.stringify(growths)).toBe(true)
    },
  )
})
