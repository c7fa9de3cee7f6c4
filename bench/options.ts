import { parseArgs } from 'node:util'

/** What `npm run bench` is called with. */
export interface Options {
  /** Parts of the names of what is measured; none is everything. */
  readonly only: readonly string[]
  readonly rounds: number
  readonly seconds: number
  /** The Node that the servers run on. */
  readonly node: string
  /** Where the raw rounds go. */
  readonly json: string | undefined
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      node: { type: 'string', default: process.execPath },
      json: { type: 'string' },
    },
  })
  const { only, node, json } = values
  return { only, rounds: Number(values.rounds), seconds: Number(values.seconds), node, json }
}
