import { Type } from '@sinclair/typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import { startRawHttpServer } from '../../support/raw-http-server.ts'
import { runVendorBlock, type VendorRun } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor } from '../../vendors/strict-vendor.ts'

const closed = { additionalProperties: false }

/** Blink as its workplace API documents users and feed events. */
const startBlink = () =>
  startStrictVendor({
    headers: { authorization: 'Bearer blink-key-1' },
    refuse: (_status, error) => ({ error }),
    routes: [
      {
        method: 'GET',
        path: /^\/user$/,
        query: ['userId', 'employeeId'],
        answer: ({ query }) => ({
          json: {
            data: query.get('userId') === 'u1' ? [{ id: 'u1', email: 'ada@mail.example' }] : twoUsers,
          },
        }),
      },
      {
        method: 'POST',
        path: /^\/feed\/events$/,
        body: Type.Object(
          {
            body: Type.Object(
              {
                ribbon_color: Type.Optional(Type.String()),
                sections: Type.Array(Type.Object({ type: Type.String() }), { minItems: 1 }),
              },
              closed,
            ),
            category: Type.Optional(Type.String()),
            user_ids: Type.Array(Type.String()),
            group_ids: Type.Array(Type.String()),
            notification_title: Type.Optional(Type.String()),
            notification_text: Type.Optional(Type.String()),
            allow_comments: Type.Optional(Type.Boolean()),
            allow_reactions: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
        answer: () => ({ json: { data: { event_id: 'e-1' } } }),
      },
    ],
  })

const twoUsers = [{ id: 'u1', email: 'ada@mail.example' }, { id: 'u2' }]

async function run(options: Record<string, unknown>, chat: NonNullable<VendorRun['chat']> = {}) {
  const server = await startBlink()
  const account = { apiKey: 'blink-key-1', baseUrl: server.url }
  const variables = { Out: null, Ids: null }
  return { ...(await runVendorBlock({ type: 'blink', account, options, variables, chat })), server }
}

it('reads one user, or a list of several', async () => {
  const responseMapping = [
    { item: 'Emails', variableId: 'vOut' },
    { item: 'User IDs', variableId: 'vIds' },
  ]
  const one = await run({ action: 'Get Users', filter: { type: 'User ID', userId: 'u1' }, responseMapping })
  expect(one.variables).toMatchObject({ Out: 'ada@mail.example', Ids: 'u1' })
  const filter = { type: 'Employee ID', employeeId: 'e1' }
  const two = await run({ action: 'Get Users', filter, responseMapping })
  expect(two.variables).toMatchObject({ Out: 'ada@mail.example', Ids: ['u1', 'u2'] })
})

describe('an attachment', () => {
  const sendFile = async (answer: string, path = '/files/report.pdf') => {
    const { url } = await startRawHttpServer(() => answer)
    const sections = [
      { type: 'Text', value: 'New' },
      { type: 'Attachment', url: url + path },
    ]
    const http = createHttpClient({ allow: parseAllowList(new URL(url).host) })
    onTestFinished(() => http.close())
    const options = { action: 'Send Feed Event', userIds: ['u1'], sections }
    const { server, visitorLogs } = await run(options, { http })
    const sent = JSON.parse(server.requests[0]?.body ?? '{}').body.sections
    return { address: url + path, attachments: sent.slice(1), visitorLogs }
  }
  const head = (status: number, headers: Readonly<Record<string, string>>) =>
    `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`

  it.each([
    ['the end of its address', {}, 'report.pdf'],
    [
      'that of its server',
      { 'content-disposition': 'attachment; filename="../May 2026.pdf"' },
      'May 2026.pdf',
    ],
    [
      'that of its server, without quotes',
      { 'content-disposition': 'inline; filename=may.pdf; size=3' },
      'may.pdf',
    ],
  ])('has its type and size, and as its name %s', async (_what, more, name) => {
    const headers = { 'content-type': 'application/pdf; x=1', 'content-length': '4096', ...more }
    const { attachments, visitorLogs, address } = await sendFile(head(200, headers), '/files/report.pdf?v=1')
    expect(visitorLogs).toEqual([])
    const addresses = { download_url: address, open_url: address }
    expect(attachments).toEqual([
      { type: 'attachment', file_name: name, file_ext: 'pdf', file_size: 4096, ...addresses },
    ])
  })

  it.each([
    ['is not there', head(404, {}), 'The service of the attachment answered 404'],
    ['has no size', head(200, { 'content-type': 'application/pdf' }), 'must send its name'],
    [
      'is of no known type',
      head(200, { 'content-type': 'x/y', 'content-length': '3' }),
      'must send its name',
    ],
  ])('that %s is left out, with a log', async (_what, answer, problem) => {
    const { attachments, visitorLogs } = await sendFile(answer)
    expect(attachments).toEqual([])
    expect(visitorLogs).toMatchObject([{ status: 'error', description: expect.stringContaining(problem) }])
  })
})

it('puts a card into a feed', async () => {
  const sections = [
    { type: 'Text', value: '**Hi**' },
    { type: 'YouTube', link: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
    {
      type: 'Buttons',
      buttons: [{ label: 'Go', clientAction: { type: 'Open Webview', url: 'https://ä.example' } }],
    },
    { type: 'Horizontal Bar Chart', total: '10', data: [{ name: 'A', value: 3, label: '3' }] },
    { type: 'YouTube', link: 'https://video.example' },
  ]
  const responseMapping = [{ variableId: 'vOut' }]
  const { server, variables, visitorLogs } = await run({
    action: 'Send Feed Event',
    userIds: ['u1'],
    sections,
    responseMapping,
  })
  expect(visitorLogs).toEqual([{ status: 'error', description: 'Invalid YouTube URL.' }])
  expect(variables).toMatchObject({ Out: 'e-1' })
  const [request] = server.requests
  expect(JSON.parse(request?.body ?? '{}').body.sections).toMatchObject([
    { type: 'text', value: '**Hi**', is_markdown: true },
    { type: 'youtube', video_id: 'dQw4w9WgXcQ' },
    {
      type: 'buttons',
      data: [
        { label: 'Go', client_action: expect.stringMatching(/^blink:webview\?url=[\w%]+&action=open$/) },
      ],
    },
    {
      type: 'horizontal_bar_chart',
      total_raw_value: 10,
      data: [{ name: 'A', raw_value: 3, display_value: '3' }],
    },
  ])
})
