import { fitsBytes } from '../../lib/byte-string.ts'
import type { Remembered } from '../../sessions/session-contact.ts'
import { type ContactWrite, mostMemoryBytes } from '../contact-store.ts'

/** A change to a contact, with its memory as `writeMemory` wrote it. */
export interface WrittenContact extends Omit<ContactWrite, 'memory'> {
  readonly memory?: string | undefined
}

/** Writes what a turn remembers as JSON: an object. */
export const writeMemory = (memory: Remembered): string =>
  `{${memory.map(([name, value]) => `${storable(name)}:${storable(value)}`).join()}}`

/** The JSON of a name or a value. Databases know no character 0 in it. */
export function storable(value: Remembered[number][1]): string {
  const json = JSON.stringify(value)
  return json.includes(zero) ? JSON.stringify(value, withoutZeros) : json
}

const zero = '\\u0000'

const withoutZeros = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value

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
