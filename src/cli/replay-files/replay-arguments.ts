import { parseArgs } from 'node:util'
import { UsageError } from '../command.ts'

const formatWords = ['pretty', 'json'] as const

/** Arguments of `flow-runtime replay`. */
interface ReplayArguments {
  readonly paths: readonly string[]
  readonly format: (typeof formatWords)[number]
  /** A flow that takes the place of the one that was recorded. */
  readonly flow: string | undefined
  /** The file of tests that is made of the recording; undefined where it is run. */
  readonly asTest: string | undefined
}

/** Text of `replay --help`. */
export const replayUsage = `Usage: flow-runtime replay [OPTIONS] FILE|FOLDER...

Runs recorded conversations again, of folders each *.recording.json in them and below: what visitors said, with every
effect answered as it was. Nothing leaves the process. Names the first turn and the block where a conversation is no
longer the same, byte by byte.

  --flow FILE      run the conversations on this flow in place of the one that was recorded; what it asks and nobody
                   answered goes unanswered
  --format FORMAT  pretty, json (default pretty)
  --as-test FILE   make a file of tests of one recording: what was said and seen, with the answers of the world as
                   mocks. The test is of --flow, or of the flow that was recorded, which is then written beside it

A recording is what GET /v1/sessions/{sessionId}/recording returns for a preview that was started with "record": true.

Exits with 0 when all are the same, 1 when one parts, 2 for wrong usage or a file that is no recording.
`

const options = {
  format: { type: 'string', default: 'pretty' },
  flow: { type: 'string' },
  'as-test': { type: 'string' },
} as const

/** Reads the arguments of the command. Throws a UsageError, or what `parseArgs` throws. */
export function readReplayArguments(args: readonly string[]): ReplayArguments {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (positionals.length === 0) throw new UsageError('A recording or a folder of recordings has to be named')
  const format = formatWords.find((word) => word === values.format)
  const asTest = values['as-test']
  if (asTest !== undefined && positionals.length > 1)
    throw new UsageError('--as-test makes a file of one recording')
  if (format) return { paths: positionals, format, flow: values.flow, asTest }
  throw new UsageError(`--format ${JSON.stringify(values.format)} is none of ${formatWords.join(', ')}`)
}
