import { describe, expect, it } from 'vitest'
import { buildTestApp, recordingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/sessions/session-1/continueChat'

async function setup(answer?: string) {
  const { chat, continued } = recordingChat(answer)
  const { app } = await shareTestApp({ chat })
  return { app, continued }
}

describe('POST /v1/sessions/{sessionId}/continueChat', () => {
  it('hands the request to the use case and its answer to the caller, byte by byte', async () => {
    const { app, continued } = await setup('{"messages":[{"text":"Grüße 🎈"}]}')
    const body = {
      message: { type: 'text', text: 'Red', attachedFileUrls: ['u'], metadata: { replyId: 'i1' } },
      textBubbleContentFormat: 'markdown',
    }
    const response = await app.inject({
      method: 'POST',
      url: '/v1/sessions/se%20ssion/continueChat?x=1',
      headers: { origin: 'https://shop.example' },
      payload: body,
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toBe('{"messages":[{"text":"Grüße 🎈"}]}')
    expect(continued).toMatchObject([{ sessionId: 'se ssion', origin: 'https://shop.example', body }])
  })

  it.each([
    ['bare text', { message: 'Hi' }],
    ['an empty text', { message: '' }],
    ['a recording', { message: { type: 'audio', url: 'https://a.example/1.mp3' } }],
    ['a command', { message: { type: 'command', command: '/help' } }],
    ['null', { message: null }],
    ['nothing', {}],
    ['keys that nobody knows', { message: 'Hi', sessionId: 5, isStreamEnabled: 'x' }],
  ])('takes %s for a message', async (_name, payload) => {
    const { app, continued } = await setup()
    const response = await app.inject({ method: 'POST', url, payload })
    expect(response.statusCode).toBe(200)
    expect(continued).toMatchObject([{ sessionId: 'session-1', origin: undefined, body: payload }])
  })

  it('takes no body for an empty object', async () => {
    const { app, continued } = await setup()
    await app.inject({ method: 'POST', url })
    expect(continued.map(({ body }) => body)).toEqual([{}])
  })

  it.each([
    [{ message: 5 }, '/message', 'must be string,object,null'],
    [{ message: [] }, '/message', 'must be string,object,null'],
    [{ message: {} }, '/message', "must have required property 'type'"],
    [{ message: { type: 'shout' } }, '/message/type', 'must be one of: text, audio, command'],
    [{ message: { type: 'text', text: null } }, '/message/text', 'must be string'],
    [{ message: { type: 'audio' } }, '/message', "must have required property 'url'"],
    [{ message: { type: 'command', command: 1 } }, '/message/command', 'must be string'],
    [
      { message: { type: 'text', text: '', metadata: { replyId: 1 } } },
      '/message/metadata/replyId',
      'must be string',
    ],
    [{ textBubbleContentFormat: 'html' }, '/textBubbleContentFormat', 'must be one of: richText, markdown'],
    [{ textBubbleContentFormat: null }, '/textBubbleContentFormat', 'must be one of: richText, markdown'],
    [[], '', 'must be object'],
  ])('refuses %j by its place', async (payload, pointer, message) => {
    const { app, continued } = await setup()
    const response = await app.inject({ method: 'POST', url, payload })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'BAD_REQUEST', errors: [{ pointer, message }] })
    expect(continued).toMatchObject([])
  })

  it('bounds the size of a body', async () => {
    const { chat } = recordingChat()
    const { app } = await buildTestApp({ chat, config: { bodyLimit: 100, previewBodyLimit: 200 } })
    const send = (length: number) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload: `{"message":"${'x'.repeat(length - 14)}"}`,
      })
    expect((await send(100)).statusCode).toBe(200)
    expect((await send(101)).statusCode).toBe(413)
  })
})
