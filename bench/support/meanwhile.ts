import { percentile, rounded } from './figures.ts'
import type { PinnedProcess } from './pinned-process.ts'

/** Runs something, and asks the service for its health one time after the other until it is over. */
export async function watchedRun(
  service: PinnedProcess,
  run: () => Promise<unknown>,
): Promise<Record<string, number>> {
  await service.probe('delays')
  const over = { is: false }
  const asking = askMeanwhile(() => askHealth(service.address), over)
  await run()
  over.is = true
  const health = await asking
  const { delays } = await service.probe('delays')
  return {
    'health p50 ms': rounded(percentile(health, 0.5)),
    'health p99 ms': rounded(percentile(health, 0.99)),
    'health max ms': rounded(percentile(health, 1)),
    'event loop late by ms': rounded(delays.max),
  }
}

async function askHealth(address: string): Promise<void> {
  const response = await fetch(`${address}/health`)
  await response.text()
  if (response.status !== 200) throw new Error(`health was answered ${response.status}`)
}

/** With a breath in between. */
async function askMeanwhile(ask: () => Promise<void>, over: { readonly is: boolean }): Promise<number[]> {
  const times: number[] = []
  do {
    times.push(await timed(ask))
    await new Promise((resolve) => setTimeout(resolve, 2))
  } while (!over.is)
  return times
}

/** How long something takes, in milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}
