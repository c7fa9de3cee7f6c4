import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const built = join(import.meta.dirname, 'dist/src')

/** Threads load what is built: from sources each of them takes a second to begin. */
const alias = [
  { find: /^.*\/spawn-thread\.ts$/, replacement: join(built, 'stores/sqlite/spawn-thread.js') },
  { find: /^.*\/spawn-worker\.ts$/, replacement: join(built, 'adapters/code-sandbox/spawn-worker.js') },
]

/** Starts processes or threads of its own, or measures what its own process holds: each file has a process for itself. */
const service = [
  'test/service/**/*.test.ts',
  'test/threats/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/adapters/code-sandbox/**/*.test.ts',
  'test/stores/{memory,postgres,redis}/*.test.ts',
  'test/adapters/system/process-load.test.ts',
  'test/{flows,logger-output,main}.test.ts',
]

/** Takes minutes, or asserts times: run by a command of its own, on a machine that does nothing else. */
const long = ['test/{soak,stall}/**/*.test.ts']

export default defineConfig({
  resolve: { alias },
  test: {
    testTimeout: 60_000,
    // Loaded machines come to the same, later.
    expect: { poll: { timeout: 15_000 } },
    // The tests that start processes mostly wait for them.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...service, ...long],
          // Loading the sources takes longer than running the tests, so a worker loads them once for all its files.
          isolate: false,
          globalSetup: ['test/service/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: service,
          globalSetup: ['test/service/build.ts', 'test/service/postgres.ts'],
        },
      },
      { extends: true, test: { name: 'long', include: long, fileParallelism: false } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'schemas/**/*.ts'],
      exclude: ['src/main.ts', 'src/cli/serve.ts'],
      reporter: ['text', 'text-summary'],
      thresholds: { lines: 95 },
    },
  },
})
