import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0

/** Defines tests that need `redis-server`. Without it they are skipped under a name that says so, or fail in CI. */
export function describeWithRedis(name: string, define: () => void): void {
  if (!isInstalled && process.env['REQUIRE_SERVICES'] === '1')
    throw new Error('redis-server is not installed')
  if (isInstalled) describe(name, define)
  else describe.skip(`${name} (redis-server is not installed)`, define)
}
