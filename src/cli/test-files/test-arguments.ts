import { parseArgs } from 'node:util'
import { type CoveredKind, coveredKinds } from '../../tooling/flow-tests/coverage.ts'
import { type Console, oneOf, UsageError } from '../command.ts'
import { blocksOption } from '../input/read-blocks.ts'
import { coverageFormats } from '../test-formats/coverage-formats.ts'
import { testFormats } from '../test-formats/test-formats.ts'

/** One part of all tests, counted from 1. */
interface Shard {
  readonly part: number
  readonly of: number
}

const formatWords = Object.keys(testFormats) as (keyof typeof testFormats)[]
const coverageWords = Object.keys(coverageFormats) as (keyof typeof coverageFormats)[]

export const testUsage = `Usage: flow-runtime test [OPTIONS] [FILE | FOLDER]...

Runs conversations against flows: every *.flowtest.yaml of the folders, and those below, or of FLOWS_DIR when none is
named. Nothing leaves the process. What a file holds is described in docs/testing-flows.md.

  --format FORMAT           ${formatWords.join(', ')} (default pretty)
  --update                  write transcripts anew
  --loose                   messages may be shown that a test does not name
  --only TAG                run the tests with this tag
  --shard PART/PARTS        run one part of the tests, as 1/4 does the first of four
  --bail                    stop at the first test that fails
  --coverage FORMAT         ${coverageWords.join(', ')}: what of the flows was run
  --coverage-file FILE      write it there and not to the standard output
  --min-coverage KIND=N     exit with 1 below N per cent of ${coveredKinds.join(', ')};
                            may be repeated
  --blocks FOLDER           own block types (default BLOCKS_DIR), whose cases are run too
  --watch                   run again whenever a file changes

Exits with 0 when all passed, 1 when a test failed or too little was run, 2 for wrong usage or a file that can not be read.
`

const options = {
  format: { type: 'string', default: 'pretty' },
  update: { type: 'boolean', default: false },
  loose: { type: 'boolean', default: false },
  only: { type: 'string' },
  shard: { type: 'string' },
  bail: { type: 'boolean', default: false },
  coverage: { type: 'string' },
  'coverage-file': { type: 'string' },
  'min-coverage': { type: 'string', multiple: true, default: [] as string[] },
  watch: { type: 'boolean', default: false },
  ...blocksOption,
} as const

/** Arguments of `flow-runtime test`. */
export type TestArguments = ReturnType<typeof readTestArguments>

/** Reads the arguments of the command. Throws a UsageError, or what `parseArgs` throws. */
export function readTestArguments(args: readonly string[], env: Console['env']) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const { coverage, only, shard } = values
  if (shard !== undefined && values['min-coverage'].length > 0)
    throw new UsageError('--min-coverage is of all tests, and --shard runs a part of them')
  return {
    paths: positionals.length > 0 ? positionals : [env['FLOWS_DIR'] || 'flows'],
    format: oneOf('--format', values.format, formatWords),
    coverage: coverage === undefined ? undefined : oneOf('--coverage', coverage, coverageWords),
    coverageFile: values['coverage-file'],
    /** Per cent, by what is counted. */
    minimum: new Map(values['min-coverage'].map(minimumIn)),
    only,
    blocks: values.blocks,
    shard: shard === undefined ? undefined : shardIn(shard),
    isLoose: values.loose,
    isBailing: values.bail,
    isUpdating: values.update,
    isWatching: values.watch,
  }
}

function shardIn(given: string): Shard {
  const [, part, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? []).map(Number)
  if (part !== undefined && of !== undefined && part >= 1 && part <= of) return { part, of }
  throw new UsageError(`--shard ${JSON.stringify(given)} is not like 1/4`)
}

function minimumIn(given: string): [CoveredKind, number] {
  const [name, share = ''] = given.split('=')
  const kind = coveredKinds.find((one) => one === name)
  if (kind && /^\d{1,3}(\.\d+)?$/.test(share) && Number(share) <= 100) return [kind, Number(share)]
  throw new UsageError(
    `--min-coverage ${JSON.stringify(given)} is not like edges=90; kinds are ${coveredKinds.join(', ')}`,
  )
}
