import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address of IPv4 or IPv6, never one of IPv4 written as IPv6. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Reads an address as the system resolves it; one of IPv4 that is dressed up as IPv6 comes back as IPv4. */
export function readAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return undefined
  return ipaddr.process(text)
}

/** Metadata services of clouds, which hand out secrets of the machine. */
const metadataServices = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
)

/** Whether a metadata service of a cloud answers here, directly or through a translation to IPv4. */
export function isMetadataService(address: Address): boolean {
  return [address, embedded(address)].some((one) => one && metadataServices.has(withoutZone(one)))
}

/** Reason why flows may not reach an address, without the address itself; undefined when they may. */
export function findAddressRefusal(address: Address): string | undefined {
  if (isMetadataService(address)) return 'The address belongs to a metadata service'
  const inner = embedded(address)
  if (inner) return findAddressRefusal(inner)
  const range = address.range()
  if (range === 'private') return `The address is private (${privateRangeOf(address)})`
  if (range !== 'unicast') return refusals[`${address.kind()} ${range}`] ?? 'The address is reserved'
  // Nothing else of IPv6 was ever given out to the public.
  return address instanceof ipaddr.IPv6 && !address.match(publicIPv6) ? 'The address is reserved' : undefined
}

const refusals: Readonly<Record<string, string>> = {
  'ipv4 unspecified': 'The address is in 0.0.0.0/8',
  'ipv4 loopback': 'The address is a loopback address',
  'ipv4 linkLocal': 'The address is link-local',
  'ipv4 carrierGradeNat': "The address is inside a provider's network (100.64.0.0/10)",
  'ipv4 multicast': 'The address is a multicast address',
  'ipv4 broadcast': 'The address is the broadcast address',
  'ipv6 unspecified': 'The address is the unspecified IPv6 address',
  'ipv6 loopback': 'The address is the IPv6 loopback address',
  'ipv6 linkLocal': 'The address is link-local IPv6',
  'ipv6 uniqueLocal': 'The address is unique local IPv6',
  'ipv6 deprecatedSiteLocal': 'The address is site-local IPv6',
  'ipv6 multicast': 'The address is an IPv6 multicast address',
}

const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

function privateRangeOf(address: Address): string {
  const first = address.toByteArray()[0]
  if (first === 10) return '10.0.0.0/8'
  return first === 172 ? '172.16.0.0/12' : '192.168.0.0/16'
}

/** Addresses of IPv6 that a gateway, or an old stack, turns into one of IPv4: the range, and where that begins. */
const translated = [
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), firstByte: 12 },
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), firstByte: 2 },
  { range: ipaddr.IPv6.parseCIDR('::/96'), firstByte: 12 },
]

/** `::` and `::1` lie among the addresses that hold one of IPv4, and hold none. */
const namesItself = new Set<string>(['unspecified', 'loopback'])

function embedded(address: Address): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6) || namesItself.has(address.range())) return undefined
  const found = translated.find(({ range }) => address.match(range))
  return found && new ipaddr.IPv4(address.toByteArray().slice(found.firstByte, found.firstByte + 4))
}

function withoutZone(address: Address): string {
  return address.toNormalizedString().replace(/%.*$/, '')
}
