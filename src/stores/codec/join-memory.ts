import { mostMemoryBytes } from '../contact-store.ts'

/** The memory with what a turn has written; undefined where that has no room. */
export function joinMemory(before: string, written: string): string | undefined {
  const entries = Object.entries({ ...JSON.parse(before), ...JSON.parse(written) })
  const joined = JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null)))
  return Buffer.byteLength(joined) > mostMemoryBytes ? undefined : joined
}
