import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithProcess } from './end-with-process.ts'

export const adminToken = 'operator'

/** One of the processes of the service, which can be ended and started again on its port. */
export interface Member {
  readonly port: number
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it in order, and starts it with another build. */
  update(dist: string): Promise<void>
  signal(name: NodeJS.Signals): void
}

interface MemberOptions {
  readonly port: number
  readonly args: readonly string[]
  readonly dist: string
  readonly variables: Record<string, string>
}

/** A process that is not started yet. */
export function createMember({ port, args, dist: first, variables }: MemberOptions): Member {
  let child: ChildProcess | undefined
  let dist = first
  endWithProcess(() => void child?.kill('SIGKILL'))

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  /** As whatever keeps it running does: a database that can't be reached ends it at its start. */
  async function start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      launch()
      const isUp = await untilAnswering(`http://127.0.0.1:${port}/health`, child).catch((error) => {
        if (tries === 5) throw error
      })
      if (isUp) return
      // One that does not answer may run on.
      await end('SIGKILL')
    }
  }

  function launch(): void {
    // The modules one by one, as altered builds change single ones of them.
    child = spawn(process.execPath, [...args, '--enable-source-maps', join(dist, 'src/main.js')], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        ADMIN_TOKEN: adminToken,
        RATE_LIMIT_MAX: '0',
        LOG_LEVEL: 'fatal',
        PAGES: 'off',
        ...variables,
      },
      // Of what it says, only why it could not go on.
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }

  return {
    port,
    kill: () => end('SIGKILL'),
    start,
    async update(next) {
      await end('SIGTERM')
      dist = next
      await start()
    },
    signal: (name) => void child?.kill(name),
  }
}

/** Done when something answers there; rejects where the process that should has ended. */
export async function untilAnswering(url: string, child?: ChildProcess): Promise<true> {
  for (let tries = 0; tries < 600; tries++) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return true
    if (child && child.exitCode !== null) throw new Error('a process of the service ended at its start')
    await sleep(50)
  }
  throw new Error(`${url} does not answer`)
}
