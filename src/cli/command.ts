import type { WorkingOn } from './input/stall-guard.ts'

/** Exit codes of every command. */
export const exitCodes = {
  fine: 0,
  /** The command ran, and found or met something that is wrong. */
  failed: 1,
  /** It was called in a way that it doesn't know, and has done nothing. */
  usage: 2,
} as const

/** Environment and output streams of a command. */
export interface Console {
  readonly env: Readonly<Record<string, string | undefined>>
  /** To the standard output: what the command was asked for. */
  print(text: string): void
  /** Writes a message to the standard error. */
  warn(text: string): void
  /** Names the next file to the watchdog, which reports a file that stalls; absent without a watchdog. */
  readonly workingOn?: WorkingOn
  /** Aborted when a command that stays is to end; without it, it stays as long as the process. */
  readonly ended?: AbortSignal
}

/**
 * Runs a command with the arguments behind its name; gives the code to exit with, and undefined while the process is
 * to stay. Arguments that it doesn't know are thrown as they come from `parseArgs`, or as a UsageError.
 */
export type Run = (args: readonly string[], console: Console) => Promise<number | undefined>

/** Exports of a command's file. */
export interface CommandModule {
  readonly help: () => string
  readonly run: Run
}

/** Thrown for arguments that make no sense; its message names the one and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A value of an option that takes one of some words. Throws a UsageError for any other. */
export function oneOf<Word extends string>(option: string, given: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw new UsageError(`${option} ${JSON.stringify(given)} is none of ${words.join(', ')}`)
}
