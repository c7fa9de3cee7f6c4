import type { Config } from './config.ts'

/** Open files of threads, stores, logs and the program itself. */
const ownFiles = 64

/** Share of the sockets and files that turns open: requests to other systems, files. */
const shareOfTurns = 1 / 4

/** As many as are of any use. */
const least = 8

type Setting = Pick<Config, 'maxConnections' | 'databaseUrl' | 'databaseConnections'>

/** Connections of clients that a process may accept which may have so many files open; undefined is no limit. */
export function connectionsWithin(config: Setting, openFiles = Number.POSITIVE_INFINITY): number {
  const ofDatabase = config.databaseUrl === undefined ? 0 : config.databaseConnections
  const left = Math.floor(openFiles * (1 - shareOfTurns)) - ownFiles - ofDatabase
  return Math.max(least, Math.min(config.maxConnections, left))
}

/** Tells an operator that fewer connections are accepted than were asked for. */
export function connectionWarnings(config: Setting, openFiles: number | undefined): readonly string[] {
  const within = connectionsWithin(config, openFiles)
  if (within >= config.maxConnections) return []
  return [
    `The process may have ${openFiles} files open (ulimit -n): at most ${within} connections are accepted, ` +
      `not the ${config.maxConnections} of MAX_CONNECTIONS`,
  ]
}
