import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '../report/self-times.ts'

/** Preloaded by a server that is to answer questions about itself; needs `--expose-gc`. */
export const probeModule = './bench/support/probe.mjs'

/**
 * `memory`: what is held after garbage was collected. `delays`: of its event loop, since they were last asked for.
 * `profile`: where its time went since `start profile`.
 */
export type ProbeQuestion = 'memory' | 'delays' | 'start profile' | 'profile'

export interface ProbeAnswer {
  /** Bytes of the heap, and of buffers beside it. */
  readonly heap: number
  readonly buffers: number
  /** How late the event loop was, in milliseconds. */
  readonly delays: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly profile?: Profile
}

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
  /** From the command to the first connection, in milliseconds. */
  readonly startedInMs: number
  /** Time that all its threads have spent, in the system too, in milliseconds. */
  cpuMs(): number
  /** Memory that it holds, in bytes: now, and at its highest. */
  residentBytes(): { now: number; highest: number }
  /** Asks a server that was started with the probe. */
  probe(question: ProbeQuestion): Promise<ProbeAnswer>
  stop(): Promise<void>
}

interface StartOptions {
  readonly variables?: Readonly<Record<string, string>>
  readonly isPinned?: boolean
}

/** Starts a server by a command that listens on `PORT`. What it logs goes into a file, as it would be collected. */
export async function startPinned(
  command: readonly string[],
  { variables = {}, isPinned = true }: StartOptions = {},
): Promise<PinnedProcess> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'bench-log-'))
  const log = openSync(join(folder, 'log'), 'w')
  // What this process starts has its core to begin with.
  const cores = isPinned ? serverCore : `${serverCore},${loadCore}`
  const [program = '', ...args] = canPin ? ['taskset', '--cpu-list', cores, ...command] : command
  const spawnedAt = performance.now()
  const child = spawn(program, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], PORT: String(port), ...variables },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  })
  closeSync(log)
  const ended = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  await untilItListens(port, child)
  const startedInMs = performance.now() - spawnedAt
  const pid = child.pid!
  return {
    address: `http://127.0.0.1:${port}`,
    pid,
    startedInMs,
    cpuMs: () => cpuMsOf(pid),
    residentBytes: () => residentBytesOf(pid),
    async probe(question) {
      const answered = once(child, 'message')
      child.send(question)
      const [answer] = await answered
      return answer
    },
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
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

function residentBytesOf(pid: number): { now: number; highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytesOf = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  return { now: bytesOf('VmRSS'), highest: bytesOf('VmHWM') }
}
