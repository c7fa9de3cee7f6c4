import type { ByteString } from '../../src/lib/byte-string.ts'

/** The text that whoever is sent this reads. */
export function readWire(text: ByteString): string {
  return Buffer.from(text, 'latin1').toString()
}

/** The object that whoever is sent this JSON reads. */
export function parseWire(json: ByteString): Record<string, unknown> {
  return JSON.parse(readWire(json))
}
