import { parseArgs } from 'node:util'
import { type ChannelName, channelNames } from '../../tooling/lint/model/surroundings.ts'
import { type Level, levels } from '../../tooling/lint/rule.ts'
import { rulesByCode } from '../../tooling/lint/rules/index.ts'
import { type Console, UsageError } from '../command.ts'
import { type ReportFormat, reportFormats } from '../lint-formats/report-formats.ts'

const failOnWords = ['error', 'warning', 'info', 'never'] as const

/** Arguments of `flow-runtime lint`. */
export interface LintArguments {
  readonly paths: readonly string[]
  readonly format: ReportFormat
  /** The least severity that makes the command fail. */
  readonly failOn: (typeof failOnWords)[number]
  readonly maxWarnings: number | undefined
  /** Levels by the codes of rules. */
  readonly rules: Readonly<Record<string, Level>>
  readonly config: string | undefined
  readonly credentials: string | undefined
  readonly isFixing: boolean
  readonly isWatching: boolean
  /** A file or folder of what is published now. */
  readonly against: string | undefined
  readonly channels: readonly ChannelName[]
}

const formatWords = Object.keys(reportFormats)

export const lintUsage = `Usage: flow-runtime lint [OPTIONS] [FILE | FOLDER]...

Checks flows: every *.json of the folders, and those below, or of FLOWS_DIR when none is named. Files that are checked
together know each other's ids, for links. Each rule is described in docs/rules.md.

  --format FORMAT     ${formatWords.join(', ')} (default pretty)
  --fail-on SEVERITY  ${failOnWords.join(', ')}: the least that makes the command exit with 1 (default error)
  --max-warnings N    exit with 1 when there are more warnings
  --rule CODE=LEVEL   ${levels.join(', ')}; may be repeated
  --config FILE       in place of the nearest .flowlint.json in the folder of a flow or above it
  --credentials FILE  the accounts of the operator, to check those that flows name
  --against PATH      what is published now, a file or a folder: names blocks that are gone at which sessions may wait
  --channel NAME      ${channelNames.join(', ')}: what the flows are meant for beside pages; may be repeated
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
  channel: { type: 'string', multiple: true, default: [] as string[] },
} as const

/** Reads the arguments of the command. Throws a UsageError, or what `parseArgs` throws. */
export function readLintArguments(args: readonly string[], env: Console['env']): LintArguments {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  return {
    paths: positionals.length > 0 ? positionals : [env['FLOWS_DIR'] || 'flows'],
    format: oneOf('--format', values.format, formatWords) as ReportFormat,
    failOn: oneOf('--fail-on', values['fail-on'], failOnWords),
    maxWarnings: values['max-warnings'] === undefined ? undefined : countIn(values['max-warnings']),
    rules: Object.fromEntries(values.rule.map(ruleIn)),
    config: values.config,
    credentials: values.credentials,
    isFixing: values.fix,
    isWatching: values.watch,
    against: values.against,
    channels: values.channel.map((name) => oneOf('--channel', name, channelNames)),
  }
}

function oneOf<Word extends string>(option: string, given: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw new UsageError(`${option} ${JSON.stringify(given)} is none of ${words.join(', ')}`)
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
