import { watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flowFileEndings } from '../../definition/read-flow-text.ts'
import { type Console, UsageError } from '../command.ts'

/** Finds the files that are meant: each that is named, and those in the folders that end so. Throws a UsageError for none. */
export async function findFiles(paths: readonly string[], ...endings: readonly string[]): Promise<string[]> {
  const files = await findAnyFiles(paths, ...endings)
  if (files.length === 0)
    throw new UsageError(
      `There is no ${endings.map((ending) => `*${ending}`).join(' or ')} in ${paths.join(', ')}`,
    )
  return files
}

/** Finds the files as `findFiles` does, where there may be none. */
export async function findAnyFiles(
  paths: readonly string[],
  ...endings: readonly string[]
): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => filesAt(path, endings)))
  return [...new Set(found.flat())].sort()
}

/** Finds the files of flows, in either form. */
export const findFlowFiles = (paths: readonly string[]) => findFiles(paths, ...flowFileEndings)

async function filesAt(path: string, endings: readonly string[]): Promise<string[]> {
  const known = await stat(path).catch((error: Error) => {
    throw new UsageError(`${path} can not be read: ${error.message}`)
  })
  if (!known.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      // Folders of tools and of dependencies hold nothing that is meant; files of this kind are configuration.
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
      const inside = join(path, entry.name)
      if (entry.isDirectory()) return filesAt(inside, endings)
      return endings.some((ending) => entry.name.endsWith(ending)) ? [inside] : []
    }),
  )
  return found.flat()
}

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
