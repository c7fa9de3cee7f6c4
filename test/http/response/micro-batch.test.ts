import { describe, expect, it } from 'vitest'
import { createMicroBatch } from '../../../src/http/response/micro-batch.ts'

/** Work that is put off until it is told. */
function putOff() {
  const rounds: (() => void)[] = []
  return {
    later: (work: () => void) => void rounds.push(work),
    rounds,
    next: () => rounds.shift()?.(),
  }
}

describe('what is done together', () => {
  it('waits until later, and is then done in the order in which it came up', () => {
    const { later, next, rounds } = putOff()
    const done: string[] = []
    const add = createMicroBatch<string>(later, (item) => void done.push(item))
    for (const item of ['a', 'b', 'c']) add(item)
    expect([done, rounds.length]).toEqual([[], 1])
    next()
    expect([done, rounds.length]).toEqual([['a', 'b', 'c'], 0])
  })

  it('leaves what comes up meanwhile for the next time', () => {
    const { later, next } = putOff()
    const done: string[] = []
    const add = createMicroBatch<string>(later, (item) => {
      done.push(item)
      if (item.length < 3) add(`${item}!`)
    })
    for (const item of ['a', 'b']) add(item)
    next()
    expect(done).toEqual(['a', 'b'])
    next()
    expect(done).toEqual(['a', 'b', 'a!', 'b!'])
  })

  it('is done to the end where one of it fails', () => {
    const { later, next } = putOff()
    const done: string[] = []
    const add = createMicroBatch<string>(later, (item) => {
      if (item === 'b') throw new Error('a defect')
      done.push(item)
    })
    for (const item of ['a', 'b', 'c', 'd']) add(item)
    expect(next).toThrow('a defect')
    expect(done).toEqual(['a'])
    next()
    expect(done).toEqual(['a', 'c', 'd'])
  })

  it('is done once', () => {
    const { later, next } = putOff()
    const done: string[] = []
    const add = createMicroBatch<string>(later, (item) => void done.push(item))
    add('a')
    next()
    add('b')
    next()
    expect(done).toEqual(['a', 'b'])
  })
})
