import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ConfigError } from '../../../lib/config-error.ts'
import { type Address, isMetadataService, readAddress } from './ip-policy.ts'

/** Destinations that the operator opens to flows although they are not public. */
export interface AllowList {
  /** The entries as they are understood. */
  readonly entries: readonly string[]
  /** Whether a request to a host may go to one of its addresses. */
  permits(host: string, address: Address, port: number): boolean
}

interface Entry {
  readonly text: string
  /** Undefined for every port. */
  readonly port: number | undefined
  /** A name is compared with the host of a request, a range with the resolved addresses. */
  readonly opens: { readonly name: string } | { readonly range: Range; readonly isSingle: boolean }
}

type Range = readonly [address: Address, bits: number]

/** Reads `host`, `host:port`, `ip`, `ip:port`, `[ipv6]:port` and `cidr`, with commas between. */
export function parseAllowList(text: string): AllowList {
  const written = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const read = written.map(readEntry)
  const entries = read.filter((entry) => entry !== undefined)
  if (entries.length < read.length) {
    throw new ConfigError(written.flatMap((entry, index) => (read[index] ? [] : complaint(entry, index))))
  }
  return {
    entries: entries.map((entry) => entry.text),
    permits: (host, address, port) =>
      entries.some((entry) => (entry.port ?? port) === port && isOpened(entry.opens, host, address)),
  }
}

/** Says in a log what an allow-list opens. */
export function describeAllowList({ entries }: AllowList): string {
  return entries.length === 0 ? 'public addresses only' : `public addresses, and ${entries.join(', ')}`
}

/** A metadata service is never opened by the way: it takes an entry of its very address. */
function isOpened(opens: Entry['opens'], host: string, address: Address): boolean {
  const isMetadata = isMetadataService(address)
  if ('name' in opens) return opens.name === host && !isMetadata
  return (opens.isSingle || !isMetadata) && contains(opens.range, address)
}

function contains([network, bits]: Range, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

function complaint(entry: string, index: number): string {
  const shown = entry.includes('@') ? '' : `, ${JSON.stringify(entry)},`
  return `entry ${index + 1}${shown} is neither a host, an address nor a range of addresses`
}

function readEntry(entry: string): Entry | undefined {
  return readRange(entry) ?? readDestination(entry)
}

function readRange(entry: string): Entry | undefined {
  const [base = '', bits = '', ...rest] = entry.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || isIP(base) === 0) return undefined
  const network = ipaddr.parse(base)
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()
  if (isMapped || Number(bits) > network.toByteArray().length * 8) return undefined
  return { text: entry, port: undefined, opens: { range: [network, Number(bits)], isSingle: false } }
}

/** A host or an address, and perhaps a port; one of IPv6 needs brackets to have one. */
const destination = /^(?:\[(?<bracketed>[^\]]+)\]|(?<bare>[^:[\]]+))(?::(?<port>\d{1,5}))?$/

function readDestination(entry: string): Entry | undefined {
  const groups = destination.exec(entry)?.groups
  const host = isIP(entry) === 6 ? entry : (groups?.['bracketed'] ?? groups?.['bare'])
  const port = groups?.['port'] === undefined ? undefined : Number(groups['port'])
  if (host === undefined || (groups?.['bracketed'] !== undefined && isIP(host) !== 6)) return undefined
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined
  const address = readAddress(host)
  if (address) {
    const range: Range = [address, address.toByteArray().length * 8]
    return { text: entry, port, opens: { range, isSingle: true } }
  }
  const name = readName(host)
  return name === undefined ? undefined : { text: entry, port, opens: { name } }
}

/** A host name in the form of a web address. A text that would become an IP address there is not a name. */
function readName(host: string): string | undefined {
  const address = /^[^\s/?#@\\%*]+$/.test(host) ? `http://${host}/` : ''
  if (!URL.canParse(address)) return undefined
  const name = new URL(address).hostname.replace(/\.+$/, '')
  return name === '' || isIP(name) !== 0 ? undefined : name
}
