import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0

/**
 * Groups tests that need `redis-server`. Where it is not installed they are skipped by name, or fail where all services
 * are asked for.
 */
export function describeWithRedis(name: string, tests: () => void): void {
  if (isInstalled) {
    describe(name, tests)
    return
  }
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`redis-server is not installed: ${name}`)
  process.stderr.write(`skipped, as redis-server is not installed: ${name}\n`)
  describe.skip(`${name} (redis-server is not installed)`, tests)
}
