import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/http/types.ts'
import { buildTestApp, recordingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v1/flows/welcome/startChat'

/** Sends a text as the JSON that it may be. */
const postText = ({ inject }: Pick<Server, 'inject'>, payload: string) =>
  inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })

describe('POST /v1/flows/{publicId}/startChat', () => {
  it('hands the request to the use case and its answer to the caller, byte by byte', async () => {
    const { chat, published } = recordingChat('{"sessionId":"s","messages":[{"text":"Grüße 🎈"}]}')
    const { app } = await shareTestApp({ chat })
    const body = {
      message: {
        type: 'text',
        text: 'Hi',
        attachedFileUrls: ['https://a.example/1'],
        metadata: { replyId: 'r' },
      },
      isStreamEnabled: false,
      resultId: 'result-0',
      isOnlyRegistering: true,
      prefilledVariables: { Name: 'Ada', Age: 36, Tags: ['a', null], Deep: { a: {} }, Nothing: null },
      textBubbleContentFormat: 'markdown',
    }
    const response = await app.inject({
      method: 'POST',
      url: '/v1/flows/we%20lcome/startChat?x=1',
      headers: { origin: 'https://shop.example' },
      payload: body,
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toBe('{"sessionId":"s","messages":[{"text":"Grüße 🎈"}]}')
    expect(published).toMatchObject([
      { publicId: 'we lcome', origin: 'https://shop.example', body, requestLog: expect.anything() },
    ])
  })

  it('hands on no origin when there is none', async () => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    await app.inject({ method: 'POST', url, payload: {} })
    expect(published).toMatchObject([{ publicId: 'welcome', origin: undefined, body: {} }])
  })

  it.each([
    ['no body', {}],
    ['an empty body called JSON', { headers: { 'content-type': 'application/json' } }],
    ['an empty body called text', { headers: { 'content-type': 'text/plain' } }],
    ['a length of 0', { headers: { 'content-length': '0', 'content-type': 'application/json' } }],
    ['an empty body in chunks', { headers: { 'transfer-encoding': 'chunked' } }],
    ['an empty object', { payload: '{}', headers: { 'content-type': 'application/json' } }],
  ])('takes %s for an empty object', async (_name, request) => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const response = await app.inject({ method: 'POST', url, ...request })
    expect(response.statusCode).toBe(200)
    expect(published.map(({ body }) => body)).toEqual([{}])
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/vnd.api+json;charset=utf-8',
  ])('reads %s', async (contentType) => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const payload = '{"message":"Hi"}'
    await app.inject({ method: 'POST', url, payload, headers: { 'content-type': contentType } })
    expect(published.map(({ body }) => body)).toEqual([{ message: 'Hi' }])
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    'junk',
    '',
  ])('refuses a body of content type "%s"', async (contentType) => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const headers = { 'content-type': contentType }
    const response = await app.inject({ method: 'POST', url, payload: '{"message":"Hi"}', headers })
    expect(response.statusCode).toBe(415)
    expect(response.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 })
    expect(published).toEqual([])
  })

  it('refuses a body without a content type', async () => {
    const { app } = await shareTestApp()
    const payload = Buffer.from('{}')
    expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(415)
  })

  it('passes keys on that are not known', async () => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const response = await app.inject({ method: 'POST', url, payload: { publicId: 'other', startFrom: 5 } })
    expect(response.statusCode).toBe(200)
    expect(published[0]?.publicId).toBe('welcome')
  })

  it.each([
    '{"__proto__":{"isOnlyRegistering":true}}',
    '{"constructor":{"prototype":{"isOnlyRegistering":true}}}',
    '{"prefilledVariables":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
    '{"\\u005f_proto__":{"isOnlyRegistering":true}}',
    '{"__proto__":null}',
  ])('is not impressed by %s', async (payload) => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const response = await postText(app, payload)
    expect(response.statusCode).toBe(200)
    const body = published[0]?.body ?? {}
    expect(body.isOnlyRegistering).toBeUndefined()
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(Object.keys(body).filter((key) => key === '__proto__')).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each([
    [{ message: { type: 'text' } }, '/message', "must have required property 'text'"],
    [{ message: { type: 'text', text: 5 } }, '/message/text', 'must be string'],
    [{ message: { type: 'shout', text: 'Hi' } }, '/message/type', 'must be one of: text, audio, command'],
    [{ message: {} }, '/message', "must have required property 'type'"],
    [{ message: null }, '/message', 'must be string,object'],
    [
      { message: { type: 'text', text: 'a', attachedFileUrls: [1] } },
      '/message/attachedFileUrls/0',
      'must be string',
    ],
    [{ isStreamEnabled: 'true' }, '/isStreamEnabled', 'must be boolean'],
    [{ isOnlyRegistering: 1 }, '/isOnlyRegistering', 'must be boolean'],
    [{ isOnlyRegistering: null }, '/isOnlyRegistering', 'must be boolean'],
    [{ resultId: 7 }, '/resultId', 'must be string'],
    [{ prefilledVariables: [] }, '/prefilledVariables', 'must be object'],
    [{ prefilledVariables: null }, '/prefilledVariables', 'must be object'],
    [{ textBubbleContentFormat: 'html' }, '/textBubbleContentFormat', 'must be one of: richText, markdown'],
    [[], '', 'must be object'],
  ])('refuses %j by its place', async (payload, pointer, message) => {
    const { chat, published } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const response = await app.inject({ method: 'POST', url, payload })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Input validation failed',
      instance: url,
      code: 'BAD_REQUEST',
      message: 'Input validation failed',
      errors: [{ pointer, message }],
    })
    expect(published).toEqual([])
  })

  it.each(['null', '"x"', '5', 'true'])('refuses %s as a body', async (payload) => {
    const { app } = await shareTestApp()
    const response = await postText(app, payload)
    expect(response.statusCode).toBe(400)
    expect(response.json().errors).toEqual([{ pointer: '', message: 'must be object' }])
  })

  it('reports everything that is wrong at once', async () => {
    const { app } = await shareTestApp()
    const payload = { isStreamEnabled: 1, resultId: 2 }
    const { errors } = (await app.inject({ method: 'POST', url, payload })).json()
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/isStreamEnabled',
      '/resultId',
    ])
  })

  it.each([
    ['{', 'line 1, column 2'],
    ['{"a":1,}', 'line 1, column 8'],
    ['  ', 'line 1, column 3'],
    ['undefined', 'line 1, column 1'],
    ["\uFEFF{'a':1}", 'line 1, column 2'],
    ['{\n  "key": "hush"\n  "more": 1\n}', 'line 3, column 3'],
  ])('refuses %j as broken JSON by its place, and quotes nothing', async (payload, place) => {
    const { app } = await shareTestApp()
    const response = await postText(app, payload)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The request body is not valid JSON',
      errors: [{ pointer: '', message: `is not valid JSON (${place})` }],
    })
    expect(response.payload).not.toContain('hush')
  })

  it('tells no place in broken JSON that takes long to read again', async () => {
    const { app } = await shareTestApp()
    const payload = `{"message":"${'x'.repeat(256 * 1024)}"`
    const response = await postText(app, payload)
    expect(response.json()).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The request body is not valid JSON',
    })
    expect(response.json()).not.toHaveProperty('errors')
  })

  it('refuses a body whose objects begin in more orders of keys than are read', async () => {
    const { app } = await shareTestApp()
    const objects = Array.from({ length: 6_000 }, (_, nth) => `{"k${nth}":"${'x'.repeat(20)}"}`)
    const payload = `{"prefilledVariables":{"a":[${objects}]}}`
    const response = await postText(app, payload)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('The request body holds more than 5000 different orders of keys')
  })

  it('survives a body nested as deep as it can be sent', async () => {
    const bodyBounds = {
      values: 500_000,
      keys: 10,
      shapes: 10,
      levels: 500_000,
    }
    const { app } = await buildTestApp({ config: { bodyBounds } })
    const payload = `{"prefilledVariables":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`
    const response = await postText(app, payload)
    expect(response.statusCode).toBe(200)
  })

  it('refuses a million wrong items with a short answer', async () => {
    const { app } = await shareTestApp()
    const payload = { message: { type: 'text', text: '', attachedFileUrls: Array(500_000).fill(1) } }
    const response = await app.inject({ method: 'POST', url, payload })
    expect(response.statusCode).toBe(400)
    expect(response.body.length).toBeLessThan(5000)
  })

  it('accepts a body of the limit and refuses one byte more', async () => {
    const { app } = await buildTestApp({ config: { bodyLimit: 100, previewBodyLimit: 200 } })
    const headers = { 'content-type': 'application/json' }
    const send = (length: number) =>
      app.inject({ method: 'POST', url, headers, payload: `{"resultId":"${'x'.repeat(length - 15)}"}` })
    expect((await send(100)).statusCode).toBe(200)
    const refused = await send(101)
    expect(refused.statusCode).toBe(413)
    expect(refused.json()).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      title: 'Payload Too Large',
      status: 413,
    })
  })
})
