import { parseArgs } from 'node:util'
import type { Build } from './support/service.ts'

/** What `npm run bench` is called with. */
interface Options {
  /** Parts of the names of what is measured. */
  readonly only: readonly string[]
  readonly rounds: number
  readonly seconds: number
  /** The Node that the servers run on. */
  readonly node: string
  /** A file for the raw rounds. */
  readonly json: string | undefined
  /** Another build, which is loaded in turn with this one. */
  readonly against: Build | undefined
}

/** Rounds and seconds of who names none. */
type Usual = Pick<Options, 'rounds' | 'seconds'>

const helpOf = ({ rounds, seconds }: Usual) => `Usage: npm run bench -- [OPTIONS]

Measures the built service; docs/performance.md says how, and what the figures mean.

  --only TEXT              measure what has this in its name; may be repeated
  --rounds N, --seconds N  rounds of each row (${rounds}), and seconds of each round (${seconds})
  --node FILE              the Node that the servers run on
  --json FILE              write every round there
  --against DIR            load the build in another folder in turn with this one
  --against-env NAME=VALUE a variable that the other build is started with; may be repeated
`

/** Reads the options, or ends the process where help is asked for or one is not known. */
export function readOptionsOrExit(
  args: readonly string[],
  usual: Usual = { rounds: 5, seconds: 4 },
): Options {
  const help = helpOf(usual)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    process.exit(0)
  }
  try {
    return readOptions(args, usual)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

function readOptions(args: readonly string[], usual: Usual): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: String(usual.rounds) },
      seconds: { type: 'string', default: String(usual.seconds) },
      node: { type: 'string', default: process.execPath },
      json: { type: 'string' },
      against: { type: 'string' },
      'against-env': { type: 'string', multiple: true, default: [] },
    },
  })
  const { against: folder, json, rounds, seconds } = values
  const variables = Object.fromEntries(values['against-env'].map(readVariable))
  const against = folder === undefined ? undefined : { folder, variables }
  return { ...values, against, json, rounds: Number(rounds), seconds: Number(seconds) }
}

function readVariable(text: string): [string, string] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new Error(`--against-env takes NAME=VALUE; it is "${text}"`)
  return [name, value]
}

/** What `--only` names: a group by its whole name, and anything else by a part of its name; all without it. */
export function chooseSubjects<Subject extends { readonly name: string }>(
  subjects: readonly Subject[],
  only: readonly string[],
): readonly Subject[] {
  if (only.length === 0) return subjects
  const groups = new Set(subjects.map(({ name }) => groupOf(name)))
  return subjects.filter(({ name }) =>
    only.some((part) => (groups.has(part) ? groupOf(name) === part : name.includes(part))),
  )
}

const groupOf = (name: string) => name.split(': ', 1)[0]
