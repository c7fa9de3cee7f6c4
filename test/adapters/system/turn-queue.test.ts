import { describe, expect, it } from 'vitest'
import { createTurnQueue, untilQuiet } from '../../../src/adapters/system/turn-queue.ts'

describe('those who wait for their turn', () => {
  it('go on one at a time, in order, and everybody else is served in between', async () => {
    const turns: (() => void)[] = []
    const { nextTurn } = createTurnQueue(() => new Promise<void>((resolve) => turns.push(resolve)))
    const order: string[] = []
    const work = async (name: string) => {
      for (let part = 1; part <= 2; part++) {
        await nextTurn()
        order.push(`${name}${part}`)
      }
    }
    const all = Promise.all(['a', 'b', 'c'].map(work))
    while (order.length < 12) {
      expect(turns.length).toBe(1)
      order.push('others')
      turns.pop()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await all
    expect(order).toEqual([
      'others',
      'a1',
      'others',
      'b1',
      'others',
      'c1',
      'others',
      'a2',
      'others',
      'b2',
      'others',
      'c2',
    ])
  })
})

describe('those who begin', () => {
  it('begin at once where nobody waits', () => {
    expect(createTurnQueue().firstTurn()).toBeUndefined()
  })

  it('take turns with those who go on, in the order of their arrival', async () => {
    const breaks: (() => void)[] = []
    const queue = createTurnQueue(() => new Promise<void>((resolve) => breaks.push(resolve)))
    const order: string[] = []
    const goOn = async (name: string) => {
      for (let part = 1; part <= 3; part++) {
        await queue.nextTurn()
        order.push(`${name}${part}`)
      }
    }
    const begin = async (name: string) => {
      await queue.firstTurn()
      order.push(name)
    }
    const all = Promise.all([goOn('a'), goOn('b'), begin('new1'), begin('new2'), begin('new3')])
    expect(queue.waiting).toBe(5)
    while (order.length < 9) {
      breaks.pop()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await all
    expect(order).toEqual(['new1', 'a1', 'new2', 'b1', 'new3', 'a2', 'b2', 'a3', 'b3'])
    expect(queue.firstTurn()).toBeUndefined()
  })
})

describe('a break', () => {
  /** Runs one break in which the iterations of the event loop take so long; how many it took. */
  async function iterationsOf(ms: (iteration: number) => number) {
    let iterations = 0
    let elapsedMs = 0
    const iterate = async () => {
      elapsedMs += ms(++iterations)
    }
    await untilQuiet(iterate, () => elapsedMs)
    return iterations
  }

  it('ends soon where nothing else is to be done', async () => {
    expect(await iterationsOf(() => 0.001)).toBe(3)
  })

  it('lasts until others are served', async () => {
    expect(await iterationsOf((iteration) => (iteration <= 5 ? 2 : 0))).toBe(8)
  })

  it('counts quiet iterations only where they follow each other', async () => {
    expect(await iterationsOf((iteration) => (iteration === 3 ? 1 : 0))).toBe(6)
  })

  it('ends although others never are', async () => {
    expect(await iterationsOf(() => 5)).toBe(16)
  })
})

it('counts those that wait', async () => {
  const queue = createTurnQueue(async () => undefined)
  const counts = [queue.waiting]
  const both = [queue.nextTurn(), queue.nextTurn()]
  counts.push(queue.waiting)
  await Promise.all(both)
  expect([...counts, queue.waiting]).toEqual([0, 2, 0])
})
