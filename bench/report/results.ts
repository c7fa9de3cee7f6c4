import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '../measure.ts'

const folder = join(import.meta.dirname, '../results')

/** What was measured under one name, and on what. */
export interface Result {
  readonly name: string
  /** Of the servers. */
  readonly node: string
  readonly machine: string
  readonly measuredAt: string
  readonly outcome: Outcome
}

/** Notes what an outcome was measured on. */
export function resultOf(name: string, outcome: Outcome, { node }: { node: string }): Result {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const processors = cpus()
  return {
    name,
    node: version,
    machine: `${processors.length} cores, ${processors[0]?.model}`,
    measuredAt: new Date().toISOString(),
    outcome,
  }
}

/** Keeps a result in the place of the last one of its name and major version of Node. */
export function keepResult(result: Result): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, fileOf(result)), `${JSON.stringify(result, null, 1)}\n`)
}

const majorOf = (node: string) => node.replace(/^v(\d+).*/, '$1')

const fileOf = ({ name, node }: Pick<Result, 'name' | 'node'>) =>
  `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.node${majorOf(node)}.json`

/** All results that are kept and were measured on this major version of Node. */
export function readResults(node: string): Result[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(`.node${node}.json`))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
}
