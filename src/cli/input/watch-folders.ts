import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { type Console, UsageError } from '../command.ts'

/** Milliseconds of quiet after a change: editors write a file in several steps. */
const quietMs = 100

/**
 * Does something, and again whenever a flow or a test in the folders of some files changes; what is wrong with one is printed,
 * and waited for.
 */
export async function repeatOnChange(
  paths: readonly string[],
  work: () => Promise<unknown>,
  console: Console,
): Promise<void> {
  const once = () =>
    work().catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      console.warn(`${error.message}\n`)
    })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    watch(folder, { signal: console.ended }, (_event, name) => {
      if (!name || !/\.(ya?ml|json)$/.test(name)) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        running = running.then(once)
      }, quietMs)
    })
  }
  running = once()
  await running
}
