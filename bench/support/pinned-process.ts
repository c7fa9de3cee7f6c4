import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const serverCore = '0'
const loadCore = '1'

/** Without it the processes share the cores as they like, and the figures are worth less. */
const canPin = spawnSync('taskset', ['--version']).status === 0

/** Keeps this process, which makes the load, away from the core of the servers. Whatever ends it ends them, too. */
export function pinLoad(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  if (canPin) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', loadCore, String(process.pid)])
  else console.warn('There is no taskset here: servers and load share their cores')
}

/** A server that is measured, on a core of its own. */
export interface PinnedProcess {
  readonly address: string
  readonly pid: number
  /** Time that all its threads have spent, in the system too, in milliseconds. */
  cpuMs(): number
  stop(): Promise<void>
}

/** Starts a server by a command that listens on `PORT`. What it logs goes into a file, as it would be collected. */
export async function startPinned(
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<PinnedProcess> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'bench-log-'))
  const log = openSync(join(folder, 'log'), 'w')
  // What this process starts has its core to begin with.
  const [program = '', ...args] = canPin ? ['taskset', '--cpu-list', serverCore, ...command] : command
  const child = spawn(program, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], PORT: String(port), ...variables },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  const ended = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  await untilItListens(port, child)
  const pid = child.pid!
  return {
    address: `http://127.0.0.1:${port}`,
    pid,
    cpuMs: () => cpuMsOf(pid),
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
      rmSync(folder, { recursive: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return (address as { port: number }).port
}

async function untilItListens(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return
    await sleep(5)
  }
  throw new Error(`A server ended early, with ${child.exitCode}`)
}

/** A tick of the accounting of processes, in milliseconds. */
const tickMs = 1000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout)

/** Time that a process has spent, its threads and the system included, in milliseconds. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}
