import type { Block } from '../../../../schemas/blocks/index.ts'
import { type HttpRequestBlock, httpRequestTypes } from '../../../../schemas/blocks/integrations.ts'
import { findAddressRefusal, readAddress } from '../../../adapters/http-client/egress/ip-policy.ts'
import type { PlacedBlock } from './placed-block.ts'

/** The types of blocks that send an HTTP request. */
export const requestBlockTypes: readonly string[] = httpRequestTypes

/** A block of one of these types. */
export function requestOf({ block }: PlacedBlock): HttpRequestBlock {
  return block as HttpRequestBlock
}

/** The host of a request whose address names it without a placeholder. */
export function hostOf(block: Block): string | undefined {
  if (!requestBlockTypes.includes(block.type) || !('options' in block)) return undefined
  const { webhook } = (block.options ?? {}) as { webhook?: { url?: string } }
  const [, host] = /^\s*https?:\/\/(?:[^/?#@]*@)?([^/?#{}]+)(?:[/?#]|$)/i.exec(webhook?.url ?? '') ?? []
  return host?.toLowerCase()
}

const privateNames = /^(?:localhost|.+\.(?:localhost|local|internal|lan|home\.arpa))$/

/** Whether a host, with a port or without, lies in a private network, as far as its name says so. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  const address = readAddress(name.replace(/^\[(.*)\]$/, '$1'))
  return address ? findAddressRefusal(address) !== undefined : privateNames.test(name)
}
