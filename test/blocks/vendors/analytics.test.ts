import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { previewVendorBlock, runVendorBlock } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor } from '../../vendors/strict-vendor.ts'

const Texts = Type.Record(Type.String(), Type.String())
const closed = { additionalProperties: false }

/** PostHog as it documents its capture API. */
const startPosthog = () =>
  startStrictVendor({
    refuse: (_status, detail) => ({ type: 'validation_error', code: 'invalid_payload', detail }),
    routes: [
      {
        method: 'POST',
        path: /^\/i\/v0\/e\/$/,
        body: Type.Object(
          {
            api_key: Type.Literal('phc-key-of-the-shop'),
            event: Type.String({ minLength: 1 }),
            distinct_id: Type.String({ minLength: 1 }),
            properties: Type.Object({}),
            timestamp: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
          },
          closed,
        ),
        answer: () => ({ json: { status: 1 } }),
      },
    ],
  })

const eventsOf = (requests: readonly { body: string }[]) => requests.map(({ body }) => JSON.parse(body))

describe('PostHog', () => {
  const account = (host: string) => ({ apiKey: 'phc-key-of-the-shop', host })

  it('gets an event with what is known of the person', async () => {
    const server = await startPosthog()
    const { visitorLogs } = await runVendorBlock({
      type: 'posthog',
      account: account(server.url),
      variables: { Plan: 'pro' },
      options: {
        action: 'Capture',
        distinctId: 'u1',
        event: 'Signed up',
        properties: [
          { key: 'plan', value: '{{Plan}}' },
          { key: 'empty', value: '{{None}}' },
        ],
        personProperties: [{ key: 'name', value: 'Ada' }],
        groups: [{ type: 'company', key: 'acme' }],
      },
    })
    expect(visitorLogs).toEqual([])
    expect(eventsOf(server.requests)).toMatchObject([
      {
        event: 'Signed up',
        distinct_id: 'u1',
        properties: { plan: 'pro', $set: { name: 'Ada' }, $groups: { company: 'acme' } },
      },
    ])
    expect(eventsOf(server.requests)[0].properties).not.toHaveProperty('empty')
  })

  it('keeps no profile of an anonymous visitor', async () => {
    const server = await startPosthog()
    const options = { action: 'Capture', isAnonymous: true, event: 'Seen' }
    await runVendorBlock({ type: 'posthog', account: account(server.url), options })
    expect(eventsOf(server.requests)).toMatchObject([{ properties: { $process_person_profile: false } }])
  })

  it('learns about a group', async () => {
    const server = await startPosthog()
    const options = { action: 'Identify Group', distinctId: 'u1', groupType: 'company', groupKey: 'acme' }
    await runVendorBlock({ type: 'posthog', account: account(server.url), options })
    expect(eventsOf(server.requests)).toMatchObject([
      { event: '$groupidentify', properties: { $group_type: 'company', $group_key: 'acme', $group_set: {} } },
    ])
  })

  it('hears nothing from a preview', async () => {
    const server = await startPosthog()
    const options = { action: 'Capture', distinctId: 'u1', event: 'Seen' }
    const logs = await previewVendorBlock({ type: 'posthog', account: account(server.url), options })
    expect([logs, server.requests]).toEqual([[], []])
  })

  it('is quoted to the author alone when it refuses', async () => {
    const server = await startPosthog()
    const account = { apiKey: 'another-key-of-the-shop', host: server.url }
    const options = { action: 'Capture', distinctId: 'u1', event: 'Seen' }
    const { visitorLogs, storedLogs, response } = await runVendorBlock({ type: 'posthog', account, options })
    const log = { status: 'error', context: 'posthog', description: 'The service of posthog answered 422' }
    expect(visitorLogs).toEqual([log])
    expect(storedLogs).toMatchObject([{ ...log, details: expect.stringContaining('validation_error') }])
    expect(JSON.stringify([response, storedLogs])).not.toContain('another-key-of-the-shop')
    expect(response['messages']).toHaveLength(1)
  })
})

describe('Segment', () => {
  const account = (baseUrl: string) => ({ apiKey: 'write-key-of-the-shop', baseUrl })
  const stamp = { userId: Type.String(), messageId: Type.String(), timestamp: Type.String() }

  const startSegment = () =>
    startStrictVendor({
      headers: { authorization: `Basic ${Buffer.from('write-key-of-the-shop:').toString('base64')}` },
      refuse: (_status, message) => ({ success: false, message }),
      routes: [
        [/^\/v1\/identify$/, { traits: Texts }] as const,
        [/^\/v1\/alias$/, { previousId: Type.String() }] as const,
        [
          /^\/v1\/page$/,
          { name: Type.String(), category: Type.Optional(Type.String()), properties: Texts },
        ] as const,
        [/^\/v1\/track$/, { event: Type.String(), properties: Texts }] as const,
      ].map(([path, fields]) => ({
        method: 'POST',
        path,
        body: Type.Object({ ...stamp, ...fields }, closed),
        answer: () => ({ json: { success: true } }),
      })),
    })

  it.each([
    ['Identify User', { email: 'ada@mail.example', traits: [{ key: 'plan', value: 'pro' }] }, '/v1/identify'],
    ['Alias', { previousId: 'u0' }, '/v1/alias'],
    ['Page', { name: 'Home', category: 'Shop', properties: [{ key: 'a', value: 'b' }] }, '/v1/page'],
    ['Page', { name: 'Home' }, '/v1/page'],
    ['Track', { eventName: 'Bought', properties: [{ key: 'a', value: 'b' }] }, '/v1/track'],
  ])('takes what "%s" with %j sends', async (action, options, target) => {
    const server = await startSegment()
    const run = {
      type: 'segment',
      account: account(server.url),
      options: { action, userId: 'u1', ...options },
    }
    const { visitorLogs } = await runVendorBlock(run)
    expect(visitorLogs).toEqual([])
    expect(server.requests.map((request) => request.target)).toEqual([target])
  })

  it('needs no address for an identified user', async () => {
    const server = await startSegment()
    const options = { action: 'Identify User', userId: 'u1' }
    await runVendorBlock({ type: 'segment', account: account(server.url), options })
    expect(eventsOf(server.requests)).toMatchObject([{ traits: {} }])
  })
})
