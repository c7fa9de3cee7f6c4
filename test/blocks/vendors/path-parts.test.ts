import { describe, expect, it } from 'vitest'
import { PathPartError, pathPart } from '../../../src/engine/values/path-part.ts'
import { everyAsking } from '../../vendors/askings.ts'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor } from '../../vendors/strict-vendor.ts'

describe('a part of the path of a call', () => {
  it.each(['.', '..', ''])('is not %j', (text) => {
    expect(() => pathPart(text)).toThrow(PathPartError)
  })

  it.each([
    ['a/../b', 'a%2F..%2Fb'],
    ['...', '...'],
    ['%2e%2e', '%252e%252e'],
    ['?a#b@c', '%3Fa%23b%40c'],
    ['\ud800', '%EF%BF%BD'],
  ])('encodes %j', (text, encoded) => {
    expect(pathPart(text)).toBe(encoded)
  })
})

describe('a visitor who says ".."', () => {
  it.each([
    ['nocodb', 'tableId'],
    ['chat-node', 'botId'],
    ['a knowledge base', 'datasetId'],
    ['elevenlabs', 'voiceId'],
    ['google sheets', 'spreadsheetId'],
  ])('has no call made of %s, %s', async (name, option) => {
    const { account, ...asking } = everyAsking[name]!.asking
    const vendor = await startStrictVendor({ refuse: () => ({}), routes: [] })
    const options = { ...asking.options, [option]: '{{V}}' }
    const run = { ...asking, account: account(vendor.url), options, variables: { V: '..', Out: null } }
    const { visitorLogs } = await runVendorBlock(run)
    expect(visitorLogs.map(({ description }) => description)).toEqual([
      '".." can not be a part of the address of a call',
    ])
    expect(vendor.requests).toEqual([])
  })
})
