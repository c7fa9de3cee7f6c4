import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** A server of its own, in a temporary folder. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** For what the tests do themselves. */
  readonly client: Redis
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>
  /** Starts it anew on its port and in its folder. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts a server that syncs to the disk as it should in production; `flags` are those of its command line. */
export async function startRedisServer(flags: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  let child: ChildProcess

  async function start(): Promise<void> {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    child = spawn('redis-server', [...place, '--appendonly', 'yes', '--save', '', ...flags], {
      stdio: 'ignore',
    })
    if (client.status === 'wait') await client.connect().catch(() => undefined)
    for (let tries = 0; client.status !== 'ready'; tries++) {
      if (tries > 200) throw new Error('redis-server has not started')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid as number
    },
    client,
    kill,
    restart: start,
    async close() {
      client.disconnect()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
