import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllowList } from '../../../../src/adapters/http-client/egress/allow-list.ts'
import { createDestinationPolicy } from '../../../../src/adapters/http-client/egress/destination-policy.ts'
import { findAddressRefusal, readAddress } from '../../../../src/adapters/http-client/egress/ip-policy.ts'
import { openClient, resolver } from '../open-client.ts'

const judge = (text: string) => {
  const address = readAddress(text)
  return address ? findAddressRefusal(address) : 'unreadable'
}

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
]

const badIPv4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
  ['168.63.129.16', 32],
]

const badIPv6 = [
  '::',
  '::1',
  '::127.0.0.1',
  '::a00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0:7f00:1',
  '::ffff:0:808:808',
  '64:ff9b::7f00:1',
  '64:ff9b::10.1.2.3',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fe80::1%1',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff02::1',
  'ffff::1',
]

describe('the guard of addresses', () => {
  it.each(publicAddresses)('lets %s through', (text) => expect(judge(text)).toBeUndefined())

  it.each(badIPv6)('refuses %s', (text) =>
    expect(judge(text)).toEqual(expect.stringMatching(/^The address /)),
  )

  it.each([
    ['127.0.0.1', 'The address is a loopback address'],
    ['0.1.2.3', 'The address is in 0.0.0.0/8'],
    ['169.254.1.1', 'The address is link-local'],
    ['169.254.169.254', 'The address belongs to a metadata service'],
    ['64:ff9b::a9fe:a9fe', 'The address belongs to a metadata service'],
    ['fd00:ec2::254', 'The address belongs to a metadata service'],
    ['10.9.8.7', 'The address is private (10.0.0.0/8)'],
    ['172.31.255.255', 'The address is private (172.16.0.0/12)'],
    ['::ffff:c0a8:1', 'The address is private (192.168.0.0/16)'],
    ['198.51.100.7', 'The address is reserved'],
    ['::1', 'The address is the IPv6 loopback address'],
    ['::', 'The address is the unspecified IPv6 address'],
    ['fe80::1', 'The address is link-local IPv6'],
    ['fdff::1', 'The address is unique local IPv6'],
    ['fec0::1', 'The address is site-local IPv6'],
  ])('says of %s: %s', (text, refusal) => expect(judge(text)).toBe(refusal))

  it.each(['', 'example.com', '127.1', '0x7f.0.0.1', '1.2.3.4/8', '::1::'])(
    'does not take %j for one',
    (text) => expect(readAddress(text)).toBeUndefined(),
  )
})

/** Any address of a bad range, as four numbers. */
const octets = fc
  .constantFrom(...badIPv4)
  .chain(([network, bits]) =>
    fc.bigInt(0n, 2n ** BigInt(32 - bits) - 1n).map((offset) => Number(numberOf(network) + offset)),
  )
  .map((value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255] as const)

function numberOf(dotted: string): bigint {
  return dotted.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n)
}

type Octets = readonly [number, number, number, number]

const whole = ([a, b, c, d]: Octets) => ((a * 256 + b) * 256 + c) * 256 + d
const hex = (value: number) => value.toString(16)
const hexPair = (high: number, low: number) => hex(high * 256 + low)
const dotted = (parts: Octets) => parts.join('.')
const fullWidth = (text: string) =>
  text.replace(/[\d.]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
const embedded = (parts: Octets) => `${hexPair(parts[0], parts[1])}:${hexPair(parts[2], parts[3])}`

/** How an address of IPv4 can be written in an address of the web. */
const spellings: Readonly<Record<string, (parts: Octets) => string>> = {
  plain: dotted,
  'with a dot at the end': (parts) => `${dotted(parts)}.`,
  decimal: (parts) => String(whole(parts)),
  hexadecimal: (parts) => `0x${hex(whole(parts))}`,
  'upper case hexadecimal': (parts) => `0X${hex(whole(parts)).toUpperCase()}`,
  octal: (parts) => `0${whole(parts).toString(8)}`,
  'octal parts': (parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
  'hexadecimal parts': (parts) => parts.map((part) => `0x${hex(part)}`).join('.'),
  'two parts': ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  'three parts': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  'full width': (parts) => fullWidth(dotted(parts)),
  'percent-encoded': (parts) => dotted(parts).replace(/\d/g, (digit) => `%3${digit}`),
  'ideographic dots': (parts) => parts.join('\u3002'),
  mapped: (parts) => `[::ffff:${dotted(parts)}]`,
  'mapped in hexadecimal': (parts) => `[::FFFF:${embedded(parts)}]`,
  'mapped at length': (parts) => `[0:0:0:0:0:ffff:${embedded(parts)}]`,
  compatible: (parts) => `[::${dotted(parts)}]`,
  'behind NAT64': (parts) => `[64:ff9b::${embedded(parts)}]`,
  'behind local NAT64': (parts) => `[64:ff9b:1::${embedded(parts)}]`,
  'behind 6to4': (parts) => `[2002:${embedded(parts)}::1]`,
}

const frames: readonly ((host: string) => string)[] = [
  (host) => `http://${host}/`,
  (host) => `https://${host}`,
  (host) => `HTTP://${host}:8080/path?query#fragment`,
  (host) => `http://user@${host}/`,
  (host) => `http://user:pass@${host}:81/`,
  (host) => `http:\\\\${host}\\path`,
  (host) => ` http:/${host}/ `,
  (host) => `ht\ntp://${host}/`,
]

describe('an address of the web', () => {
  it.each(Object.entries(spellings))(
    'is refused in any range that is not public: %s',
    async (_name, spell) => {
      const { send } = openClient()
      const frame = fc.constantFrom(...frames)
      await fc.assert(
        fc.asyncProperty(octets, frame, async (parts, put) => {
          expect(await send({ url: put(spell(parts)) })).toEqual({
            kind: 'refused',
            reason: expect.stringMatching(/^The address (?!is not valid)/),
          })
        }),
        { numRuns: 60 },
      )
    },
  )

  it.each(Object.entries(spellings).filter(([name]) => name !== 'behind local NAT64'))(
    'is let through when it is public: %s',
    async (_name, spell) => {
      const find = createDestinationPolicy(parseAllowList(''), resolver({}))
      for (const text of publicAddresses.filter((address) => !address.includes(':'))) {
        const { hostname } = new URL(`http://${spell(text.split('.').map(Number) as unknown as Octets)}/`)
        expect(await find(hostname, 80)).toHaveLength(1)
      }
    },
  )

  it('is refused when its name comes down to such an address', async () => {
    await fc.assert(
      fc.asyncProperty(octets, fc.nat(3), async (parts, at) => {
        const addresses = ['1.1.1.1', '8.8.8.8', '2606:4700::1']
        addresses.splice(at, 0, dotted(parts))
        const { send } = openClient('', resolver({ 'shop.example': addresses }))
        expect(await send({ url: 'http://shop.example/' })).toMatchObject({ kind: 'refused' })
      }),
      { numRuns: 60 },
    )
  })
})
