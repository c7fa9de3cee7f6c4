import { describe, expect, it } from 'vitest'
import { describeAllowList, parseAllowList } from '../../../../src/adapters/http-client/egress/allow-list.ts'
import { readAddress } from '../../../../src/adapters/http-client/egress/ip-policy.ts'
import { ConfigError } from '../../../../src/lib/config-error.ts'

describe('an allow-list', () => {
  it.each([
    // list, host, address, port, permitted
    ['', '127.0.0.1', '127.0.0.1', 80, false],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', 80, true],
    ['127.0.0.1', '127.0.0.1', '127.0.0.2', 80, false],
    ['127.0.0.1', 'shop.example', '127.0.0.1', 80, true],
    ['127.0.0.1', '::ffff:7f00:1', '::ffff:127.0.0.1', 80, true],
    ['127.0.0.1:8080', '127.0.0.1', '127.0.0.1', 8080, true],
    ['127.0.0.1:8080', '127.0.0.1', '127.0.0.1', 8081, false],
    ['::1', '::1', '::1', 80, true],
    ['[::1]', '::1', '::1', 80, true],
    ['[::1]:81', '::1', '::1', 81, true],
    ['[::1]:81', '::1', '::1', 80, false],
    ['::ffff:10.0.0.1', '10.0.0.1', '10.0.0.1', 80, true],
    ['10.0.0.0/8', 'shop.example', '10.255.0.1', 443, true],
    ['10.0.0.0/8', 'shop.example', '11.0.0.1', 443, false],
    ['10.0.0.0/8', 'shop.example', '::1', 443, false],
    ['fc00::/7', 'shop.example', 'fd12::1', 443, true],
    ['0.0.0.0/0', 'shop.example', '127.0.0.1', 443, true],
    ['shop.example', 'shop.example', '10.0.0.1', 443, true],
    ['shop.example', 'www.shop.example', '10.0.0.1', 443, false],
    ['SHOP.Example.', 'shop.example', '10.0.0.1', 443, true],
    ['shop.example:444', 'shop.example', '10.0.0.1', 443, false],
    ['bücher.example', 'xn--bcher-kva.example', '10.0.0.1', 443, true],
    ['my_service', 'my_service', '172.18.0.4', 80, true],
    ['a.example, , b.example:81 ,', 'b.example', '10.0.0.1', 81, true],
    ['169.254.0.0/16', 'x.example', '169.254.169.254', 80, false],
    ['169.254.169.254/32', 'x.example', '169.254.169.254', 80, false],
    ['169.254.0.0/16', 'x.example', '169.254.1.1', 80, true],
    ['metadata.google.internal', 'metadata.google.internal', '169.254.169.254', 80, false],
    ['169.254.169.254', 'metadata.google.internal', '169.254.169.254', 80, true],
    ['169.254.169.254:81', 'x.example', '169.254.169.254', 80, false],
    ['fd00::/8', 'x.example', 'fd00:ec2::254', 80, false],
    ['fd00:ec2::254', 'x.example', 'fd00:ec2::254', 80, true],
    ['64:ff9b::/96', 'x.example', '64:ff9b::a9fe:a9fe', 80, false],
    ['64:ff9b::/96', 'x.example', '64:ff9b::10.0.0.1', 80, true],
  ])('%j opens for %s at %s, port %i: %j', (list, host, address, port, isPermitted) => {
    expect(parseAllowList(list).permits(host, readAddress(address)!, port)).toBe(isPermitted)
  })

  it.each([
    'http://shop.example',
    '*.example',
    '*',
    'a b',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::/129',
    '::ffff:10.0.0.0/104',
    'shop.example/24',
    '10.0.0.0/8:80',
    'shop.example:0',
    'shop.example:65536',
    'shop.example:http',
    '[shop.example]:80',
    '[::1',
    '::1]:80',
    '127.1',
    '2130706433',
    '0x7f.1',
    '.',
    ':80',
  ])('names an entry that it cannot read: %s', (entry) => {
    expect(() => parseAllowList(`10.0.0.1, ${entry}`)).toThrow(
      new ConfigError([`entry 2, "${entry}", is neither a host, an address nor a range of addresses`]),
    )
  })

  it('reports all that it cannot read, and shows none that may hold a password', () => {
    const list = 'a b, shop.example, user:s3cret@shop.example:80,, b\nc'
    expect(() => parseAllowList(list)).toThrow(
      new ConfigError([
        'entry 1, "a b", is neither a host, an address nor a range of addresses',
        'entry 3 is neither a host, an address nor a range of addresses',
        'entry 4, "b\\nc", is neither a host, an address nor a range of addresses',
      ]),
    )
  })

  it('says what it opens', () => {
    expect(describeAllowList(parseAllowList(''))).toBe('public addresses only')
    expect(describeAllowList(parseAllowList(' localhost:81,10.0.0.0/8'))).toBe(
      'public addresses, and localhost:81, 10.0.0.0/8',
    )
  })
})
