import { fitsBytes } from '../../lib/byte-string.ts'
import { mostMemoryBytes } from '../contact-store.ts'

/** The memory with what a turn has written; undefined where that has no room. */
export function joinMemory(before: string, written: string): string | undefined {
  const changes = JSON.parse(written)
  const all = { ...JSON.parse(before), ...changes }
  const joined = JSON.stringify(written.includes(':null') ? withoutNulls(all) : all)
  return fitsBytes(joined, mostMemoryBytes) ? joined : undefined
}

function withoutNulls(memory: object): object {
  return Object.fromEntries(Object.entries(memory).filter(([, value]) => value !== null))
}
