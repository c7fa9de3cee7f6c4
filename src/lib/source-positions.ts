import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Of the compiled files of this service. */
const maps = new Map<string, SourceMap | undefined>()

const position = /(file:\/\/[^\s)]+\.js):(\d+):(\d+)/g

/**
 * Names the places of a stack in the sources, as `--enable-source-maps` does, which would read the map of every module
 * before the service is ready, and hold it: a map is read when a stack first leads to its file.
 */
export function toSourcePositions(stack: string): string {
  return stack.replace(position, (compiled, file: string, line: string, column: string) => {
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !('originalSource' in found)) return compiled
    return `${new URL(found.originalSource, file).href}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

function readMap(file: string): SourceMap | undefined {
  if (file.includes('/node_modules/')) return undefined
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
