import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { vi } from 'vitest'
import { freePort } from '../free-port.ts'
import type { TestBucket } from './s3rver.ts'

const kinds = ['account', 'container', 'object'] as const

interface Swift {
  /** Makes an empty bucket. */
  createBucket(): Promise<TestBucket>
  stop(): Promise<void>
}

/** Starts an OpenStack Swift of its own, with one disk and its layer for S3. Its processes take three seconds to begin. */
export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'))
  await mkdir(join(folder, 'node', 'd1'), { recursive: true })
  const [account, container, object, proxy, memcached] = await Promise.all(
    Array.from({ length: 5 }, freePort),
  )
  const ports = { account, container, object }
  const user = userInfo().username
  const children: ChildProcess[] = []
  const start = (command: string, ...args: string[]) =>
    void children.push(spawn(command, args, { cwd: folder, stdio: 'ignore' }))
  start('memcached', '-u', user, '-l', '127.0.0.1', '-p', String(memcached), '-m', '16')
  for (const kind of kinds) {
    const ring = (...args: string[]) =>
      execFileSync('swift-ring-builder', [`${kind}.builder`, ...args], { cwd: folder, stdio: 'ignore' })
    ring('create', '4', '1', '0')
    ring('add', `r1z1-127.0.0.1:${ports[kind]}/d1`, '1')
    ring('rebalance')
    await writeFile(join(folder, `${kind}.conf`), storageServer(kind, { folder, user, port: ports[kind] }))
    start(`swift-${kind}-server`, `${kind}.conf`)
  }
  await writeFile(join(folder, 'proxy.conf'), proxyServer({ folder, user, port: proxy, memcached }))
  start('swift-proxy-server', 'proxy.conf')
  const address = `http://127.0.0.1:${proxy}`
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secretKey, service: 's3', retries: 0 })
  const put = async (name: string) => (await client.fetch(`${address}/${name}`, { method: 'PUT' })).status
  const stop = async () => {
    for (const child of children) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  const isKept = async (name: string) => {
    if ((await put(name)) !== 200) throw new Error('Swift does not serve yet')
  }
  try {
    // The server of objects may be the last to begin.
    for (const name of ['first', 'first/object'])
      await vi.waitFor(() => isKept(name), { timeout: 60_000, interval: 200 })
  } catch (error) {
    await stop()
    throw error
  }
  let made = 0
  return {
    async createBucket() {
      made += 1
      if ((await put(`uploads-${made}`)) !== 200) throw new Error('Swift makes no bucket')
      return { url: `${address}/uploads-${made}`, keyId, secretKey }
    },
    stop,
  }
}

const keyId = 'test:tester'
const secretKey = 'testing'

interface Placed {
  readonly folder: string
  readonly user: string
  readonly port: number | undefined
}

function storageServer(kind: string, { folder, user, port }: Placed): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${folder}
devices = ${folder}/node
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`
}

function proxyServer({ folder, user, port, memcached }: Placed & { memcached: number | undefined }): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${folder}
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${secretKey} .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
`
}
