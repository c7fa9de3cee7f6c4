import type { InboundContent } from '../messenger.ts'
import { readPress } from '../press-id.ts'
import { type Fields, numberOf } from './read-wire.ts'

/** A press of a button; one that something else has sent, such as the operator's template, says what stands on it. */
export function pressed(id: string | undefined, title: string | undefined): InboundContent | undefined {
  if (id !== undefined && readPress(id)) return { kind: 'press', id, ...(title !== undefined && { title }) }
  return title === undefined ? undefined : { kind: 'text', text: title }
}

/** A place on the map; undefined for what is none. */
export function located({ latitude, longitude }: Fields): InboundContent | undefined {
  const [north, east] = [numberOf(latitude), numberOf(longitude)]
  if (north === undefined || east === undefined) return undefined
  return { kind: 'location', latitude: north, longitude: east }
}
