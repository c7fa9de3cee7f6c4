import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { maxCodeBytes } from '../adapters/code-sandbox/code-sandbox.ts'
import { availableBytes, heapLimitBytes, openFilesLimit } from '../adapters/system/process-load.ts'
import { startWatchdog } from '../adapters/system/process-watchdog.ts'
import { buildApp } from '../compose/app.ts'
import { type ComposedService, composeService } from '../compose/composition-root.ts'
import { replaceTokens } from '../config/admin-tokens.ts'
import { configWarnings } from '../config/config-warnings.ts'
import { connectionsWithin, connectionWarnings } from '../config/connection-bound.ts'
import { helpText } from '../config/help-text.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { memoryBounds, memoryWarnings } from '../config/memory-bounds.ts'
import { eventStreamBytes } from '../conversations/events/event-streams.ts'
import { describeWork } from '../conversations/turn/effect-runner.ts'
import { connectionBytes } from '../http/protection/connections.ts'
import type { GracefulShutdown } from '../http/protection/graceful-shutdown.ts'
import type { Server } from '../http/types.ts'
import { ConfigError } from '../lib/config-error.ts'
import { createLogger } from '../lib/logger.ts'
import { type Console, exitCodes, type Run } from './command.ts'
import { blocksOption } from './input/read-blocks.ts'

/** After this, once no more connections are accepted, calls that turns wait for are ended: those turns are answered. */
const abortMs = 8_000

/** After this, requests that are still being answered are cut off. */
const cutOffMs = 9_000

/** After this, the process ends whatever happens; `DRAIN_SECONDS` come on top of it. */
const shutdownMs = 10_000

/**
 * Faults of the machine. A listener for one of them replaces the handler by which WebAssembly turns an access beyond its
 * memory into an exception: the faulty instruction would then be repeated for ever, in whichever thread it is.
 */
const faults = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'] as const

/** Reads the configuration; undefined where it is not valid, which is said. */
export async function loadOrExplain({ env, warn }: Console): Promise<LoadedConfig | undefined> {
  try {
    return await loadConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    warn(`The configuration is not valid:\n${error.message}\nSee --help for all variables.\n`)
    return undefined
  }
}

/** Load balancers see that the service is not ready, and send nothing more, before it accepts nothing more. */
async function drain(
  shutdown: GracefulShutdown,
  service: Pick<ComposedService, 'drain'>,
  drainMs: number,
): Promise<void> {
  shutdown.announce()
  service.drain()
  if (drainMs > 0) await delay(drainMs)
}

/** Where a service listens, and what opens the pages of its author. */
interface Listening extends Pick<Server['pageAccess'], 'onSpent'> {
  readonly address: string
  /** Undefined where they are no matter of this machine. */
  token(): string | undefined
}

async function start(setup: LoadedConfig, log: Logger): Promise<Listening> {
  const { config } = setup
  const assembly = await composeService(setup, log)
  const app = await buildApp(assembly.dependencies)
  process.on('unhandledRejection', (err) =>
    log.error({ err }, 'an unhandled rejection: a promise that nothing awaited has failed'),
  )
  // After an uncaught exception the state may be inconsistent. A rejected promise concerns one turn, which has gone on
  // without it: ending the process would let an attacker who finds such a place end the conversations of all others.
  closeWithGrace(
    {
      delay: config.drainMs + shutdownMs,
      logger: log,
      skip: ['unhandledRejection', ...(setup.reread ? (['SIGHUP'] as const) : []), ...faults],
    },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'closing after a defect')
      else log.info({ signal }, 'closing')
      // After a defect the state may be inconsistent: no more turns on it.
      if (!err) await drain(app.shutdown, assembly, config.drainMs)
      const abortion = setTimeout(() => assembly.abortCalls(), abortMs)
      const cutOff = setTimeout(() => app.server.closeAllConnections(), cutOffMs)
      if (!err) await app.shutdown.stopAccepting()
      await app.close()
      clearTimeout(cutOff)
      await assembly.close()
      clearTimeout(abortion)
    },
  )
  if (setup.reread) process.on('SIGHUP', () => rereadTokens(setup, log))
  const address = await app.listen({ host: config.host, port: config.port })
  // Not earlier: they would be ready to serve later.
  void assembly.dependencies.publication.inspected()
  const { watchdogSeconds: seconds } = config
  const report = (err: Error) =>
    log.fatal({ err, ...describeWork() }, 'ending, as the event loop stands still')
  if (seconds > 0) startWatchdog({ seconds, report })
  // Flushed first, so that the address is the last line of a start.
  log.flush()
  const { pageAccess } = app
  return { address, token: () => pageAccess.token, onSpent: pageAccess.onSpent }
}

/** Has the tokens of operators be those of the file now; one that can't be used changes nothing. */
async function rereadTokens({ config, reread }: LoadedConfig, log: Logger): Promise<void> {
  try {
    const { adminTokens, mcpTokens } = (await reread?.())?.config ?? config
    replaceTokens(config.adminTokens, adminTokens)
    replaceTokens(config.mcpTokens, mcpTokens)
    const tokens = [...adminTokens, ...mcpTokens].map(({ name }) => name)
    log.info({ tokens }, 'the tokens of operators were read again')
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : []
    log.error({ problems }, 'the tokens of operators stay as they were, as they could not be read again')
  }
}

async function migrate({ config }: LoadedConfig, log: Logger, { warn }: Console): Promise<number> {
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    warn('--migrate-only needs DATABASE_URL: without it there is no schema to migrate.\n')
    return exitCodes.failed
  }
  try {
    const { runMigrations } = await import('../stores/postgres/run-migrations.ts')
    await runMigrations(databaseUrl, log)
    return exitCodes.fine
  } catch (error) {
    warn(`The database could not be migrated: ${error instanceof Error ? error.message : error}\n`)
    return exitCodes.failed
  }
}

/** Text of `serve --help`. */
export const help = (): string =>
  [
    'Usage: flow-runtime serve [--migrate-only] [--blocks FOLDER]',
    '',
    'With --migrate-only, the schema of the database of DATABASE_URL is brought to what this version needs, and nothing is',
    'served. A start does the same first. --blocks stands in place of BLOCKS_DIR.',
    '',
    helpText(),
  ].join('\n')

/** Starts the service and stays: a signal or a defect ends the process. A configuration that is not valid ends it at once. */
export const run: Run = async (args, console) => {
  const options = { 'migrate-only': { type: 'boolean' }, ...blocksOption } as const
  const { values } = parseArgs({ args: [...args], options })
  const BLOCKS_DIR = values.blocks ?? console.env['BLOCKS_DIR']
  const loaded = await loadOrExplain({ ...console, env: { ...console.env, BLOCKS_DIR } })
  if (!loaded) return exitCodes.failed
  if (values['migrate-only']) return await migrate(loaded, createLogger(loaded.config.logLevel), console)
  if (hasNoFlows(loaded.config, console)) {
    console.warn(
      `There is no folder ${loaded.config.flowsDir}: flow-runtime init makes one with a first flow, FLOWS_DIR names another.\n`,
    )
    return exitCodes.failed
  }
  serveFlows(loaded, ({ address, token: present, onSpent }) => {
    const token = present()
    if (token !== undefined) console.warn(`Open ${address}/?token=${token}\n`)
    onSpent((next) => console.warn(nextEntrance(address, next)))
  })
  return undefined
}

/** The line by which a further browser comes to the pages of the author. */
export const nextEntrance = (address: string, token: string) =>
  `Opened in a browser. Another one opens ${address}/?token=${token}\n`

/** A folder that is named may come later, and operators publish over HTTP. */
function hasNoFlows({ flowsDir, adminTokens }: LoadedConfig['config'], { env }: Console): boolean {
  return !env['FLOWS_DIR'] && adminTokens.length === 0 && !existsSync(flowsDir)
}

/** Starts the service by its configuration; once it listens, that is told. A start that fails ends the process. */
export function serveFlows(loaded: LoadedConfig, onListening: (listening: Listening) => unknown): void {
  const openFiles = openFilesLimit()
  const setup = {
    ...loaded,
    config: { ...loaded.config, maxConnections: connectionsWithin(loaded.config, openFiles) },
  }
  const log = createLogger(setup.config.logLevel)
  const bounds = memoryBounds(setup.config, {
    codeBytes: maxCodeBytes,
    connectionBytes,
    eventStreamBytes,
  })
  const available = { heapBytes: heapLimitBytes(), allBytes: availableBytes() }
  const warnings = [
    ...configWarnings(setup.config),
    ...connectionWarnings(loaded.config, openFiles),
    ...setup.reach.warnings,
    ...memoryWarnings(bounds, available),
  ]
  for (const warning of warnings) log.warn(warning)
  start(setup, log).then(onListening, (err: unknown) => {
    // No request has come yet whose content its message could hold.
    log.fatal({ err }, `the service could not start: ${err instanceof Error ? err.message : err}`)
    process.exit(1)
  })
}
