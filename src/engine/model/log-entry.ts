import type { Log } from '../../../schemas/log.ts'

/**
 * Who reads a log besides the author of its flow: visitors, or visitors without its details, which quote what was said
 * elsewhere.
 */
export type Audience = 'visitors' | 'visitors without details'

/** A log inside of the service. One without an audience is for the author alone. */
export interface LogEntry extends Log {
  readonly audience?: Audience
}

/** Returns a log as authors read it. */
export function logForAuthors({ audience: _, ...log }: LogEntry): Log {
  return log
}

/** Returns a log as visitors read it; undefined when it is not for them. */
export function logForVisitors({ audience, details, ...log }: LogEntry): Log | undefined {
  if (audience === undefined) return undefined
  return audience === 'visitors' && details !== undefined ? { ...log, details } : log
}
