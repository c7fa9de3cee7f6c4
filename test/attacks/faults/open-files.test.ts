import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { notKept, startBuiltService } from '../../support/built-service.ts'

/** Opens connections that send nothing; each that ends is opened again. */
function holdIdle(port: number, count: number): void {
  let isOver = false
  const sockets = new Set<Socket>()
  const hold = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (!isOver) setTimeout(hold, 1_000)
    })
  }
  for (let nth = 0; nth < count; nth++) hold()
  onTestFinished(() => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  })
}

/** Asks as probes do: on a connection of its own, and again when that is lost. */
async function probe(url: string, tries = 3): Promise<number> {
  try {
    return (await fetch(url, { headers: notKept, signal: AbortSignal.timeout(3_000) })).status
  } catch (error) {
    if (tries === 1) throw error
    return probe(url, tries - 1)
  }
}

describe.each([
  [128, 400],
  [1_024, 1_500],
])('a process that may have %i files open', (openFiles, connections) => {
  it(`outlives ${connections} idle connections, and answers who asks`, async () => {
    const { address, child, output, stop } = await startBuiltService({}, { openFiles })
    expect(output()).toContain(`The process may have ${openFiles} files open`)
    holdIdle(Number(new URL(address).port), connections)
    const statuses = new Set<number>()
    for (let nth = 0; nth < 12; nth++) {
      await delay(250)
      for (const path of ['/health', '/ready']) statuses.add(await probe(address + path))
    }
    expect([child.exitCode, ...statuses]).toEqual([null, 200])
    expect(await stop()).toBe(0)
  })
})
