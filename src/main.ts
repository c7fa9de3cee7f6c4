import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { createDiskUploads } from './adapters/disk-uploads.ts'
import { createSystemPorts } from './adapters/system-ports.ts'
import { blockRegistry } from './blocks/index.ts'
import type { ChatDependencies } from './chat/chat-dependencies.ts'
import { createChat } from './chat/create-chat.ts'
import { createPrograms } from './chat/programs.ts'
import { createResults } from './chat/results.ts'
import { createUploads, noUploads, type Uploads } from './chat/uploads.ts'
import { type Config, ConfigError, configWarnings, readConfig } from './config.ts'
import { readDefinition } from './definition/read-definition.ts'
import { helpText } from './help.ts'
import { createIdempotency } from './http/idempotency.ts'
import { buildServer } from './server.ts'
import { createFolderPublishedFlows } from './stores/folder-published-flows.ts'
import { createMemoryDefinitionStore } from './stores/memory-definition-store.ts'
import { createMemoryIdempotencyStore } from './stores/memory-idempotency-store.ts'
import { createMemoryResultStore } from './stores/memory-result-store.ts'
import { createMemorySessionStore } from './stores/memory-session-store.ts'

/** Programs of drafts that are kept, by what they can take at most; any of them can be compiled again. */
const compiledBytes = 128 * 1024 * 1024

/** How long the answer to a request with an `Idempotency-Key` is kept after it was last given. */
const repeatableMs = 24 * 60 * 60 * 1000

/** After this, requests that are still being answered are cut off. */
const drainMs = 9_000

/** After this, the process ends whatever happens. */
const shutdownMs = 10_000

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`The configuration is not valid:\n${error.message}\nSee --help for all variables.\n`)
    process.exit(1)
  }
}

async function openStores(config: Config, log: Logger) {
  const ports = createSystemPorts()
  const programs = createPrograms({ registry: blockRegistry, maxBytes: compiledBytes })
  const definitions = createMemoryDefinitionStore({ maxBytes: config.definitionMaxBytes })
  const { maxBytes: resultBytes, ttlMs: resultTtlMs } = config.results
  const results = createMemoryResultStore({
    maxBytes: resultBytes,
    expiry: resultTtlMs === undefined ? undefined : { ttlMs: resultTtlMs, now: ports.now },
  })
  const { ttlMs, max, maxBytes, maxQueuedTurns } = config.sessions
  const sessions = createMemorySessionStore({
    ttlMs,
    maxSessions: max,
    maxBytes,
    maxQueuedTurns,
    now: ports.now,
  })
  const published = await createFolderPublishedFlows({
    folder: config.flowsDir,
    publish(text) {
      const definition: unknown = JSON.parse(text)
      const { program } = programs.prepare(definition)
      return { flow: readDefinition(definition), program, hash: program.hash }
    },
    definitions,
    report: log,
  })
  return { ports, programs, definitions, results, sessions, published }
}

async function openUploads(config: Config, chat: ChatDependencies): Promise<Uploads> {
  if (!config.uploads) return noUploads
  const { folder, secret, fileBytes, totalBytes } = config.uploads
  const { ttlMs } = config.results
  const report = (err: unknown) => chat.log.error({ err }, 'old uploads could not be erased')
  const files = await createDiskUploads({ folder, totalBytes, ttlMs, report })
  return createUploads({ chat, files, secret, fileBytes })
}

async function start(config: Config, log: Logger): Promise<void> {
  const stores = await openStores(config, log)
  const { limits, previewToken, adminToken, publicUrl } = config
  const dependencies = { ...stores, limits, previewToken, adminToken, publicUrl, log }
  const uploads = await openUploads(config, dependencies)
  const app = await buildServer({
    chat: createChat(dependencies),
    results: createResults({ ...dependencies, eraseFiles: (resultId) => uploads.removeOwned(resultId) }),
    uploads,
    idempotency: createIdempotency(
      createMemoryIdempotencyStore({
        maxBytes: config.idempotencyMaxBytes,
        ttlMs: repeatableMs,
        now: stores.ports.now,
      }),
    ),
    config,
    readiness: async () => [],
    logger: log,
  })
  closeWithGrace({ delay: shutdownMs, logger: log }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'closing after a defect')
    else log.info({ signal }, 'closing')
    const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs)
    await app.close()
    clearTimeout(cutOff)
    await Promise.all([stores.published.close(), stores.sessions.close()])
  })
  await app.listen({ host: config.host, port: config.port })
}

if (process.argv.includes('--help')) {
  process.stdout.write(helpText())
} else {
  const config = configOrExit()
  const log = pino({ level: config.logLevel })
  for (const warning of configWarnings(config)) log.warn(warning)
  start(config, log).catch((err: unknown) => {
    log.fatal({ err }, 'the service could not start')
    process.exit(1)
  })
}
