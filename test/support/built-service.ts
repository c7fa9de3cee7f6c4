import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The service, as its users run it. */
export interface BuiltService {
  /** Where it listens, read from its log. */
  readonly address: string
  /** All that it has written so far, to both outputs. */
  output(): string
  /** Sends it a signal that does not end it. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the code it ends with, whoever ends it. */
  readonly ended: Promise<number | null>
  readonly child: ChildProcess
  /** Has a preloaded probe report: on SIGCONT it writes a line with `probe`. Rejects where the service ends before. */
  report<Report>(): Promise<Report>
  /** Ends it in peace; the code it ended with. */
  stop(): Promise<number | null>
}

/** For requests after which the service is ended: it waits some seconds for those who keep connections. */
export const notKept = { connection: 'close' }

/** How to run the service otherwise than by its users, and who else reads its log. */
export interface Launch {
  /** Arguments for Node, from the root of the project. */
  readonly args?: readonly string[]
  readonly onLine?: (line: string) => void
  /** How many files it may have open. */
  readonly openFiles?: number
  /** What runs Node, where that is not this process: it is given the command. */
  readonly command?: readonly string[]
}

/** The modules of the same program one by one: which of them a request loads can be seen. */
export const separateModules = ['dist/src/main.js']

const program = ['dist/bin/flow-runtime.js']

/** Starts the service on any free port, with the given variables in its environment. */
export async function startBuiltService(
  variables: Record<string, string>,
  { args = program, onLine, openFiles, command: runner = [] }: Launch = {},
): Promise<BuiltService> {
  const bounded = ['/bin/sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`]
  const [command, ...given] = [...(openFiles === undefined ? runner : bounded), process.execPath, ...args]
  const child = spawn(command as string, given, {
    cwd: join(import.meta.dirname, '../..'),
    // Tests ask faster than any visitor.
    env: withoutEmpty({
      PATH: process.env['PATH'],
      PORT: '0',
      RATE_LIMIT_MAX: '0',
      WEBHOOK_WAIT_SECONDS: '0',
      // A slow machine is not an overloaded one.
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      ...variables,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Once everything that it wrote was read.
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const written: Buffer[] = []
  const { stdout, stderr } = child
  stdout.on('data', (chunk) => written.push(chunk))
  stderr.on('data', (chunk: Buffer) => {
    written.push(chunk)
    // Of no use here, once for each service.
    if (!/^Open(ed in a browser|\shttp)/.test(chunk.toString())) process.stderr.write(chunk)
  })
  const asked: ((report: never) => void)[] = []
  const readLine = (line: string) => {
    onLine?.(line)
    if (asked.length > 0 && isReport(line)) asked.shift()?.(JSON.parse(line).probe as never)
  }
  return {
    address: await readAddress(child, readLine),
    child,
    report: () =>
      new Promise((resolve, reject) => {
        asked.push(resolve)
        ended.then((code) => reject(new Error(`The service has ended with ${code}`)))
        child.kill('SIGCONT')
      }),
    output: () => Buffer.concat(written).toString(),
    signal: (name) => void child.kill(name),
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

async function readAddress(
  { stdout }: Pick<ChildProcess, 'stdout'>,
  onLine: (line: string) => void,
): Promise<string> {
  if (!stdout) throw new Error('the log of the service is not read')
  const lines = createInterface(stdout)
  const told: string[] = []
  return await new Promise((resolve, reject) => {
    let isListening = false
    lines.on('close', () => reject(new Error(`The service ended early: ${told.join('\n')}`)))
    lines.on('line', (line) => {
      onLine(line)
      if (isListening) return
      told.push(line)
      const [, address] = /"Server listening at (http:[^"]+)"/.exec(line) ?? []
      isListening = address !== undefined
      if (address !== undefined) resolve(address)
    })
  })
}

/** A stop is told as it happens. */
const isReport = (line: string) => line.startsWith('{"probe":') && !line.startsWith('{"probe":{"stop":')

/** One that is empty is not set at all. */
function withoutEmpty(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
}
