import { setTimeout as sleep } from 'node:timers/promises'
import { sizedFlow, staticFlow } from '../flows/published.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { median, rounded } from '../support/figures.ts'
import { startService } from '../support/service.ts'

const times = 7

/** How long it takes until the service answers, and what it holds when nobody asks anything. */
export const startUp: Measurement = {
  name: 'start-up: time and idle memory',
  async measure({ node }) {
    const figures: Record<string, Figures[string]> = {}
    for (const [name, flow] of [
      ['one small flow', staticFlow],
      ['one flow of 10 000 groups', sizedFlow(10_000)],
    ] as const) {
      const starts: number[] = []
      const memory: number[] = []
      for (let time = 0; time < times; time++) {
        const service = await startService([flow], { node })
        starts.push(service.startedInMs)
        await sleep(1000)
        memory.push(service.residentBytes().now)
        await service.stop()
      }
      figures[name] = {
        'ms until it listens': rounded(median(starts)),
        'idle MB': rounded(median(memory) / 1e6),
      }
    }
    return figures
  },
}
