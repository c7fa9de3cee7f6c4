import { parseArgs } from 'node:util'

/** What `npm run bench` is called with. */
export interface Options {
  /** Parts of the names of what is measured. */
  readonly only: readonly string[]
  /** Whether everything is measured, and not only what stands beside something else. */
  readonly all: boolean
  readonly rounds: number
  readonly seconds: number
  /** The Node that the servers run on. */
  readonly node: string
  /** A file for the raw rounds and the figures. */
  readonly json: string | undefined
  /** Whether they go where docs/performance.md has them from, and into it. */
  readonly write: boolean
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      node: { type: 'string', default: process.execPath },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  return { ...values, json: values.json, rounds: Number(values.rounds), seconds: Number(values.seconds) }
}
