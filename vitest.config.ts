import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const alias = [
  {
    find: /^.*\/start-thread\.ts$/,
    replacement: join(import.meta.dirname, 'test/support/start-built-thread.ts'),
  },
  {
    find: 'flow-runtime/blocks',
    replacement: join(import.meta.dirname, 'src/own-blocks/kit/block-kit.ts'),
  },
]

/** Takes seconds: talks over sockets, plays flows by the hundred, draws many cases. */
const slow = [
  'test/adapters/{file-storage,file-storage/s3,http-client,mailer}/*.test.ts',
  'test/blocks/integrations/email-over-smtp.test.ts',
  'test/blocks/vendors/{bad-answers,documented-errors}.test.ts',
  'test/clients/client{,-channels}.test.ts',
  'test/definition/{yaml-form/problems,yaml-text/read-plain-nodes}.test.ts',
  'test/http/{protection/slow-clients,request/body-budget}.test.ts',
  'test/property/*.test.ts',
  'test/**/*.property.test.ts',
  'test/routes/{uploads,whole-service}.test.ts',
  'test/tooling/write-yaml/behaviour*.test.ts',
]

/** Starts processes or threads of its own, or measures what its own process holds: each file has a process for itself. */
const service = [
  ...slow,
  'test/service/**/*.test.ts',
  'test/attacks/threats/*.test.ts',
  'test/attacks/fuzz/*.test.ts',
  'test/adapters/code-sandbox/**/*.test.ts',
  'test/stores/{memory,postgres,sqlite}/*.test.ts',
  'test/publication/catalogue/flow-catalogue.test.ts',
  'test/adapters/system/process-load.test.ts',
  'test/adapters/telemetry/otlp-spans.test.ts',
  'test/adapters/yaml-reader/*.test.ts',
  'test/blocks/integrations/{chat-completion,http-request-responses,model-dialects}.test.ts',
  'test/blocks/logic/{code-in-texts,condition,script,set-variable}.test.ts',
  'test/conversations/effects/mocks/mocked-previews.test.ts',
  'test/conversations/streaming/stream-message.test.ts',
  'test/conversations/telemetry/turn-spans.test.ts',
  'test/mcp/conformance.test.ts',
  'test/own-blocks/**/*.test.ts',
  'test/build-if-stale.test.ts',
  'test/clients/generated-clients.test.ts',
  'test/cli/{hostile-files,publish,stall-guard}.test.ts',
  'test/publication/publishing.test.ts',
  'test/routes/{convert-flow-route,pages,test-flow-route}.test.ts',
  'test/{compose/composition-root,conformance,conversations/never-expanded,flows,lib/logger-output,main,tables-in-flows}.test.ts',
]

/** Kills, starves or floods processes, and waits for what becomes of them: some seconds for each test. */
const faults = ['test/attacks/faults/*.test.ts', 'test/attacks/threats/floods.test.ts']

/** Drives a browser, which takes all that a small machine has. */
const browsers = ['test/browsers/**/*.test.ts']

/** Takes minutes, or asserts times: run by commands of their own, on a machine that does nothing else. */
const long = ['test/attacks/{soak,stall}/**/*.test.ts']

export default defineConfig({
  resolve: { alias },
  test: {
    experimental: { fsModuleCache: true },
    setupFiles: ['test/support/property-seed.ts'],
    // Loaded machines come to the same, later.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // The tests that start processes mostly wait for them.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...service, ...faults, ...browsers, ...long],
          // Loading the sources takes longer than running the tests, so a worker loads them once for all its files.
          isolate: false,
          // A service is garbage as its test ends: rooms for several, and no threads that workers would take from each other.
          execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          // What a busy machine did not let happen in time is tried once more, and reported as such.
          retry: 1,
          include: service,
          exclude: faults,
          globalSetup: ['test/service/build.ts', 'test/service/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          retry: 1,
          include: faults,
          globalSetup: ['test/service/build.ts', 'test/service/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browsers',
          retry: 1,
          include: browsers,
          fileParallelism: false,
          globalSetup: ['test/service/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...long, 'test/property/week.test.ts'],
          fileParallelism: false,
          env: { VISITORS: '10000' },
        },
      },
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
