import { type HttpRequestBlock, httpRequestTypes } from '../../../schemas/blocks/integrations/http-request.ts'
import type { PlacedBlock } from './placed-block.ts'

/** The types of blocks that send an HTTP request. */
export const requestBlockTypes: readonly string[] = httpRequestTypes

/** A block of one of these types. */
export function requestOf({ block }: PlacedBlock): HttpRequestBlock {
  return block as HttpRequestBlock
}

const privateNames = /^(?:localhost|.+\.(?:localhost|local|internal|lan|home\.arpa))$/
const privateNumbers =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./

/** Whether a host, with a port or without, lies in a private network, as far as its name says so. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  const isNumber = /^\d+(?:\.\d+){3}$/.test(name)
  if (name.startsWith('[')) return /^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/.test(name)
  return isNumber ? privateNumbers.test(name) : privateNames.test(name)
}
