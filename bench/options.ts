import { parseArgs } from 'node:util'
import type { Build } from './support/service.ts'

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
  /** Another build, which is loaded in turn with this one. */
  readonly against: Build | undefined
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
      against: { type: 'string' },
      'against-env': { type: 'string', multiple: true, default: [] },
    },
  })
  const { against: folder, json, rounds, seconds } = values
  if (folder && (values.all || values.write)) {
    throw new Error('--against compares contests and keeps no results: leave --all and --write out')
  }
  const variables = Object.fromEntries(values['against-env'].map(readVariable))
  const against = folder === undefined ? undefined : { folder, variables }
  return { ...values, against, json, rounds: Number(rounds), seconds: Number(seconds) }
}

function readVariable(text: string): [string, string] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new Error(`--against-env takes NAME=VALUE; it is "${text}"`)
  return [name, value]
}
