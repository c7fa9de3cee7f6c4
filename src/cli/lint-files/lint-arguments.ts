import { parseArgs } from 'node:util'
import { channels } from '../../../schemas/channel.ts'
import { type Level, levels } from '../../tooling/lint/rule.ts'
import { rulesByCode } from '../../tooling/lint/rules/index.ts'
import { type Console, oneOf, UsageError } from '../command.ts'
import { blocksOption } from '../input/read-blocks.ts'
import { reportFormats } from '../lint-formats/report-formats.ts'

const failOnWords = ['error', 'warning', 'info', 'never'] as const

const formatWords = Object.keys(reportFormats) as (keyof typeof reportFormats)[]

export const lintUsage = `Usage: flow-runtime lint [OPTIONS] [FILE | FOLDER]...

Checks flows: every *.json and *.flow.yaml of the folders, and those below, or of FLOWS_DIR when none is named. Files that are checked
together know each other's ids, for links. Each rule is described in docs/rules.md.

  --format FORMAT     ${formatWords.join(', ')} (default pretty)
  --fail-on SEVERITY  ${failOnWords.join(', ')}: the least that makes the command exit with 1 (default error)
  --max-warnings N    exit with 1 when there are more warnings
  --rule CODE=LEVEL   ${levels.join(', ')}; may be repeated
  --config FILE       in place of the nearest .flowlint.json in the folder of a flow or above it
  --credentials FILE  the accounts of the operator, to check those that flows name
  --against PATH      what is published now, a file or a folder: names blocks that are gone at which sessions may wait
  --channel NAME      ${channels.join(', ')}: what the flows are meant for beside pages; may be repeated
  --blocks FOLDER     own block types (default BLOCKS_DIR)
  --watch             check again whenever a file changes
  --fix               mend what can be mended with certainty, and report the rest

Exits with 0 when all is well, 1 when something was found, 2 for wrong usage or a file that can not be read.
`

const options = {
  format: { type: 'string', default: 'pretty' },
  'fail-on': { type: 'string', default: 'error' },
  'max-warnings': { type: 'string' },
  rule: { type: 'string', multiple: true, default: [] as string[] },
  config: { type: 'string' },
  credentials: { type: 'string' },
  fix: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  against: { type: 'string' },
  ...blocksOption,
  channel: { type: 'string', multiple: true, default: [] as string[] },
} as const

/** Arguments of `flow-runtime lint`. */
export type LintArguments = ReturnType<typeof readLintArguments>

/** Reads the arguments of the command. Throws a UsageError, or what `parseArgs` throws. */
export function readLintArguments(args: readonly string[], env: Console['env']) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const { config, credentials, against, blocks, fix: isFixing, watch: isWatching } = values
  return {
    paths: positionals.length > 0 ? positionals : [env['FLOWS_DIR'] || 'flows'],
    format: oneOf('--format', values.format, formatWords),
    /** The least severity that makes the command fail. */
    failOn: oneOf('--fail-on', values['fail-on'], failOnWords),
    maxWarnings: values['max-warnings'] === undefined ? undefined : countIn(values['max-warnings']),
    /** Levels by the codes of rules. */
    rules: Object.fromEntries(values.rule.map(ruleIn)),
    channels: values.channel.map((name) => oneOf('--channel', name, channels)),
    ...{ config, credentials, against, blocks, isFixing, isWatching },
  }
}

function countIn(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw new UsageError(`--max-warnings ${JSON.stringify(given)} is no whole number`)
}

function ruleIn(given: string): [string, Level] {
  const [code = '', level = ''] = given.split('=')
  if (!rulesByCode.has(code))
    throw new UsageError(`--rule ${JSON.stringify(given)}: no rule is called "${code}"`)
  return [code, oneOf(`--rule ${code}=`, level, levels)]
}
