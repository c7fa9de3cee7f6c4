import { setTimeout } from 'node:timers/promises'

/** Where many work at once, until somebody needs it alone. */
export interface Floor {
  together<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits for those who work, and keeps the others waiting meanwhile. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createFloor(): Floor {
  let present = 0
  let free = Promise.resolve()
  return {
    async together(work) {
      await free
      present += 1
      try {
        return await work()
      } finally {
        present -= 1
      }
    },
    async alone(work) {
      const before = free
      let leave = () => {}
      free = new Promise((resolve) => {
        leave = resolve
      })
      try {
        await before
        while (present > 0) await setTimeout(5)
        return await work()
      } finally {
        leave()
      }
    },
  }
}
