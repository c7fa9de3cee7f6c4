import { isMainThread } from 'node:worker_threads'
import { createThreadClock, measureUnit, watchThread } from '../../support/event-loop-watch.js'

// Preloaded into the service while it is tried (`--import`): writes on SIGCONT what it holds once garbage is collected,
// and at once when its event loop has stood still for long.

/** Milliseconds of a stop that is looked at, whatever the machine; the campaign judges it in units of work. */
const worthALook = 50

const owned = () =>
  new Set([Object, Array, Function, String].flatMap(({ prototype }) => Reflect.ownKeys(prototype)))
const ownedAtFirst = owned()

const write = (probe) => process.stdout.write(`${JSON.stringify({ probe })}\n`)

if (isMainThread) {
  const clock = createThreadClock()
  measureUnit(clock, 5)
  const thread = watchThread(clock, {
    resolution: 1,
    onLook(stopMs) {
      if (stopMs < worthALook) return
      write({ stop: stopMs / measureUnit(clock, 10) })
      thread.reset()
    },
  })
  process.on('SIGCONT', () => {
    let { heapUsed, external } = process.memoryUsage()
    for (let before = Number.POSITIVE_INFINITY; heapUsed < before * 0.99; ) {
      before = heapUsed
      globalThis.gc()
      ;({ heapUsed, external } = process.memoryUsage())
    }
    const polluted = [...owned()].filter((key) => !ownedAtFirst.has(key)).map(String)
    write({ heapUsed, external, polluted })
    // What was collected was asked for here.
    thread.reset()
  })
}
