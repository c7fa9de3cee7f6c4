import { Type } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'
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

async function run(options: Record<string, unknown>) {
  const server = await startBlink()
  const account = { apiKey: 'blink-key-1', baseUrl: server.url }
  const variables = { Out: null, Ids: null }
  return { ...(await runVendorBlock({ type: 'blink', account, options, variables })), server }
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
