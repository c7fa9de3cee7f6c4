import type { LogEntry } from '../../engine/model/log-entry.ts'

/** A piece of the answer. */
export function textRecord(text: string): string {
  return record('0', text)
}

/** Why the answer broke off, as a client shows it. */
export function failureRecord({ description, details }: Pick<LogEntry, 'description' | 'details'>): string {
  const failure = { context: 'While streaming AI', description, ...(details !== undefined && { details }) }
  return record('3', JSON.stringify(failure))
}

/** Nothing follows, and why. */
export function endRecord(finishReason: string): string {
  return record('d', { finishReason })
}

/** A line of a stream (docs/api.md, "Streaming an answer"). */
function record(code: string, content: unknown): string {
  return `${code}:${JSON.stringify(content)}\n`
}
