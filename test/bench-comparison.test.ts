import { describe, expect, it } from 'vitest'
import { compareBuilds, intervalOf, otherBuild, thisBuild } from '../bench/comparison.ts'
import type { Round } from '../bench/support/load.ts'

const round = (requestsPerSecond: number, cpuMicroseconds: number): Round => ({
  requests: 1000,
  requestsPerSecond,
  cpuMicroseconds,
  busy: 1,
  p50: 1,
  p99: 2,
})

/** Rounds of this build whose figures stand so to those of the other one, whose rounds are of very different speed. */
function roundsWith(throughput: readonly number[], cpu: readonly number[]) {
  const speeds = [1000, 400, 2000, 1500, 700]
  return {
    [thisBuild]: speeds.map((speed, index) => round(speed * throughput[index]!, 50 * cpu[index]!)),
    [otherBuild]: speeds.map((speed) => round(speed, 50)),
  }
}

const same = [1.01, 0.99, 1, 1.02, 0.98]

describe('a comparison of two builds', () => {
  it('is no loss when the rounds spread around the same speed, however much the speed of the machine changed', () => {
    const { throughput, isLoss } = compareBuilds(roundsWith(same, same))
    expect(throughput.ratio).toBeCloseTo(1)
    expect(isLoss).toBe(false)
  })

  it('is a loss when all rounds have lost more than 3 % of the throughput', () => {
    expect(compareBuilds(roundsWith([0.96, 0.9, 0.95, 0.93, 0.965], same)).isLoss).toBe(true)
  })

  it('is a loss when all rounds took more than 3 % more server time, whatever the throughput', () => {
    expect(compareBuilds(roundsWith(same, [1.04, 1.2, 1.05, 1.06, 1.035])).isLoss).toBe(true)
  })

  it('is no loss when the interval of the rounds holds less than 3 %', () => {
    expect(compareBuilds(roundsWith([0.9, 0.9, 0.9, 0.9, 0.98], same)).isLoss).toBe(false)
  })

  it('is no loss when something got faster', () => {
    expect(compareBuilds(roundsWith([1.3, 1.2, 1.4, 1.1, 1.2], [0.7, 0.8, 0.6, 0.9, 0.8])).isLoss).toBe(false)
  })
})

describe('the interval of some rounds', () => {
  it('is that of all rounds when they are five', () => {
    expect(intervalOf([5, 1, 4, 2, 3])).toEqual({ ratio: 3, low: 1, high: 5 })
  })

  it('leaves out what is furthest when there are rounds enough', () => {
    expect(intervalOf([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({ ratio: 5, low: 2, high: 8 })
  })
})
