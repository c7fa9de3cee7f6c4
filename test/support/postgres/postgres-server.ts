import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** A PostgreSQL of the tests' own, in a temporary folder. */
export interface PostgresServer {
  readonly url: string
  readonly port: number
  /** Its parent process; what it starts ends with it. */
  readonly child: ChildProcess
  /** Ends it as a crash does, without a last word to its clients. */
  crash(): Promise<void>
  /** Ends it in order. */
  end(): Promise<void>
  /** Starts it again on its port and folder. */
  restart(): Promise<void>
  /** Ends it, and erases its folder. */
  stop(): Promise<void>
}

/** Where distributions put them, beside the path. */
const debianFolder = '/usr/lib/postgresql'

/** The folder of `postgres` and `initdb`; undefined where they are not installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const latestFirst = versions.sort((one, other) => Number(other) - Number(one))
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...latestFirst.map((version) => join(debianFolder, version, 'bin')),
  ]
  return folders.find((folder) => ['postgres', 'initdb'].every((tool) => existsSync(join(folder, tool))))
}

/** The server refuses to run as root, so another user runs it there. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts a server on a free port. It syncs nothing to the disk unless it is to survive a crash of the machine, and cleans up by itself
 * unless statistics are to stay as they are.
 */
export async function startPostgres({ isDurable = false, isVacuumed = true } = {}): Promise<PostgresServer> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('postgres is not installed')
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number)
  const data = join(folder, 'data')
  const encoding = ['--encoding=UTF8', '--locale=C', '--no-sync', '--auth=trust']
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', ...encoding], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    autovacuum: isVacuumed ? 'on' : 'off',
    ...(!isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child = launch()

  function launch(): ChildProcess {
    return spawn(join(bin as string, 'postgres'), ['-D', data, '-p', String(port), ...args], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  await untilServing(url, child)
  return {
    url,
    port,
    get child() {
      return child
    },
    crash: () => end('SIGQUIT'),
    end: () => end('SIGINT'),
    async restart() {
      await end('SIGINT')
      child = launch()
      await untilServing(url, child)
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilServing(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error('postgres ended while it was starting')
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await delay(50)
    }
  }
  throw new Error('postgres did not start in 30 s')
}
