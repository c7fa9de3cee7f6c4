import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../command.ts'

/** Finds the files that are meant: each that is named, and every `*.json` in the folders. Throws a UsageError for none. */
export async function findFlowFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(filesAt))
  const files = [...new Set(found.flat())].sort()
  if (files.length === 0) throw new UsageError(`There is no *.json in ${paths.join(', ')}`)
  return files
}

async function filesAt(path: string): Promise<string[]> {
  const known = await stat(path).catch((error: Error) => {
    throw new UsageError(`${path} can not be read: ${error.message}`)
  })
  if (!known.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      // Folders of tools and of dependencies hold no flows; files of this kind are configuration.
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
      const inside = join(path, entry.name)
      if (entry.isDirectory()) return filesAt(inside)
      return entry.name.endsWith('.json') ? [inside] : []
    }),
  )
  return found.flat()
}
