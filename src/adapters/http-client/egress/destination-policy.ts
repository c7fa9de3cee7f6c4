import { isIP } from 'node:net'
import { ClosedDestinationError, errorCodeOf, HttpClientError } from '../http-client-error.ts'
import type { AllowList } from './allow-list.ts'
import { findAddressRefusal, readAddress } from './ip-policy.ts'

/** All addresses of a host name, at least one. Rejects when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

/** Finds the addresses that a request to a host may connect to. Rejects when one of the host's may not be reached. */
export type FindAddresses = (host: string, port: number) => Promise<readonly string[]>

/** Finds the addresses of hosts that the operator chose. */
export function createOpenPolicy(lookup: Lookup): FindAddresses {
  return (host) => addressesOf(plainHost(host), lookup)
}

/** Finds the addresses of hosts that a flow chose: public ones, and those that the operator opens. */
export function createDestinationPolicy(allow: AllowList, lookup: Lookup): FindAddresses {
  return async (given, port) => {
    const host = plainHost(given)
    const isOpened = (text: string) => {
      const address = readAddress(text)
      return address !== undefined && allow.permits(host, address, port)
    }
    const name = refusalOfName(host)
    if (name) {
      if (allow.entries.length === 0) throw new ClosedDestinationError(name)
      const opened = (await addressesOf(host, lookup).catch(() => [])).filter(isOpened)
      if (opened.length === 0) throw new ClosedDestinationError(name)
      return opened
    }
    const addresses = await addressesOf(host, lookup)
    for (const text of addresses) {
      const refusal = isOpened(text) ? undefined : refusalOfText(text)
      if (refusal !== undefined) throw new ClosedDestinationError(refusal)
    }
    return addresses
  }
}

/** Names of the machine itself or its cloud, refused before they are resolved. */
function refusalOfName(host: string): string | undefined {
  if (host === 'localhost' || host.endsWith('.localhost')) return 'The host is localhost'
  return metadataNames.has(host) ? 'The host is a metadata service' : undefined
}

const metadataNames = new Set(['metadata', 'metadata.goog', 'metadata.google.internal'])

function refusalOfText(text: string): string | undefined {
  const address = readAddress(text)
  return address ? findAddressRefusal(address) : 'The address cannot be read'
}

/** Without the brackets around an address, and without the dot that ends a name in full. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '')
}

async function addressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  const unknown = 'The host name does not resolve'
  const addresses = await lookup(host).catch((error: unknown) => {
    const code = errorCodeOf(error)
    throw new HttpClientError(unknown, code === undefined ? {} : { code })
  })
  if (addresses.length === 0) throw new HttpClientError(unknown)
  return addresses
}

/** Ports of other protocols, whose servers might take a request for commands (fetch standard, "bad port"). */
const banned = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
  137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
  1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`
    .split(/\s+/)
    .map(Number),
)

/** Whether browsers refuse to send HTTP to a port. */
export function isBlockedPort(port: number): boolean {
  return banned.has(port)
}
