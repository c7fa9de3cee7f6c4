import { helpText } from '../config/help-text.ts'
import { versionText } from '../lib/version-text.ts'
import { type CommandModule, type Console, exitCodes, UsageError } from './command.ts'
import { withoutControls } from './output/plain-text.ts'

/** Runs what the arguments ask for; gives the code to exit with, and undefined while the process is to stay. */
export async function runCommandLine(args: readonly string[], given: Console): Promise<number | undefined> {
  const console: Console = {
    ...given,
    print: (text) => given.print(withoutControls(text)),
    warn: (text) => given.warn(withoutControls(text)),
  }
  const [first = 'serve', ...rest] = withCommand(args)
  if (first === '--help' || first === '-h') return finish(console, overview())
  if (first === '--version') return finish(console, versionText())
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!command) return refuse(console, `${JSON.stringify(first)} is not a command`)
  const { help, run } = await command.load()
  if (rest.includes('--help') || rest.includes('-h')) return finish(console, help())
  try {
    return await run(rest, console)
  } catch (error) {
    if (!isAboutUsage(error)) throw error
    return refuse(console, error.message, first)
  }
}

/** `serve` is the default, so that images and units of operators may name only its options. */
function withCommand(args: readonly string[]): readonly string[] {
  return args[0] === '--migrate-only' ? ['serve', ...args] : args
}

/** Text of `--help` without a command: all commands, and every variable of the service. */
function overview(): string {
  const names = Object.keys(commands)
  const width = Math.max(...names.map((name) => name.length))
  return [
    'Usage: flow-runtime [COMMAND] [--help | --version]',
    '',
    'Commands:',
    '',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'flow-runtime COMMAND --help explains one of them. Each exits with 0 when all is well, 1 when it failed or found',
    'something wrong, 2 when it was called in a way that it does not know.',
    '',
    helpText(),
  ].join('\n')
}

function finish({ print }: Console, text: string): number {
  print(text)
  return exitCodes.fine
}

function refuse({ warn }: Console, problem: string, command?: string): number {
  const help = ['flow-runtime', ...(command === undefined ? [] : [command]), '--help'].join(' ')
  warn(`${problem}\nSee ${help}.\n`)
  return exitCodes.usage
}

/** Errors of `parseArgs` have a code of their own. */
function isAboutUsage(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return error instanceof Error && /^ERR_PARSE_ARGS_/.test(String((error as NodeJS.ErrnoException).code))
}

interface Command {
  readonly summary: string
  /** Loads the file of the command, so that none pays for what the others import. */
  load(): Promise<CommandModule>
}

/** Every command by its name, in the order of the overview. */
export const commands: Readonly<Record<string, Command>> = {
  serve: { summary: 'run the service (without a command as well)', load: () => import('./serve.ts') },
  init: { summary: 'make a folder with a first flow', load: () => import('./init.ts') },
  dev: {
    summary: 'serve a folder to the author, with what is wrong at every save',
    load: () => import('./dev.ts'),
  },
  lint: { summary: 'check flows for mistakes', load: () => import('./lint.ts') },
  test: { summary: 'run conversations that are written down against flows', load: () => import('./test.ts') },
  replay: { summary: 'run recorded conversations again', load: () => import('./replay.ts') },
  graph: {
    summary: 'draw a flow, with its traffic where that is given',
    load: () => import('./graph-command.ts'),
  },
  translations: {
    summary: 'exchange the texts of a flow with translators',
    load: () => import('./translations.ts'),
  },
  convert: {
    summary: 'write flows of JSON as YAML, and back',
    load: () => import('./convert-files/convert.ts'),
  },
  import: { summary: 'turn exported flows into files of flows', load: () => import('./import.ts') },
  pull: { summary: 'fetch the flows of another installation', load: () => import('./pull.ts') },
  lsp: {
    summary: 'answer an editor about flows as they are written',
    load: () => import('./language-server/lsp.ts'),
  },
  channels: {
    summary: 'ask messengers whether accounts and addresses are as they have to be',
    load: () => import('./channels.ts'),
  },
  publish: { summary: 'publish a folder of flows by a running service', load: () => import('./publish.ts') },
}
