import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { resultOwner } from '../../../src/uploads/upload-path.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { openFiles } from '../../vendors/open-files.ts'
import { previewVendorBlock, runVendorBlock } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor, type VendorReply } from '../../vendors/strict-vendor.ts'

const closed = { additionalProperties: false }
const publicUrl = 'https://bot.example'

interface Voice {
  readonly type: string
  readonly options: Json
  readonly start: (answer: VendorReply) => ReturnType<typeof startStrictVendor>
  readonly account: (url: string) => Json
}

/** Those that say a text, each strict about its headers and fields. */
const voices: Record<string, Voice> = {
  openai: {
    type: 'openai',
    options: { action: 'Create speech', input: 'Hi {{Name}}', voice: 'alloy', instructions: 'Slowly' },
    account: (url) => ({ apiKey: 'key-speech-0001', baseUrl: `${url}/v1` }),
    start: (answer) =>
      startStrictVendor({
        headers: { authorization: 'Bearer key-speech-0001' },
        refuse: (_status, message) => ({ error: { message, type: 'invalid_request_error' } }),
        routes: [
          {
            method: 'POST',
            path: /^\/v1\/audio\/speech$/,
            body: Type.Object(
              {
                model: Type.Literal('tts-1'),
                input: Type.Literal('Hi Ada'),
                voice: Type.Literal('alloy'),
                instructions: Type.Literal('Slowly'),
              },
              closed,
            ),
            answer: () => answer,
          },
        ],
      }),
  },
  elevenlabs: {
    type: 'elevenlabs',
    options: { action: 'Convert text to speech', text: 'Hi {{Name}}', voiceId: 'v/1', modelId: 'm-1' },
    account: (url) => ({ apiKey: 'key-speech-0001', baseUrl: url }),
    start: (answer) =>
      startStrictVendor({
        headers: { 'xi-api-key': 'key-speech-0001', accept: 'audio/mpeg' },
        refuse: (_status, message) => ({ detail: { status: 'invalid', message } }),
        routes: [
          {
            method: 'POST',
            path: /^\/v1\/text-to-speech\/v\/1$/,
            body: Type.Object({ text: Type.Literal('Hi Ada'), model_id: Type.Literal('m-1') }, closed),
            answer: () => answer,
          },
        ],
      }),
  },
}

async function say(name: string, answer: VendorReply, more: Json = {}, chat: Json = {}) {
  const { type, options, start, account } = voices[name] as Voice
  const server = await start(answer)
  const mebibytes = String(answer.text).length > 5e6 ? 20 : 1
  const { folder, files } = await openFiles(mebibytes * 1024 * 1024)
  const run = {
    type,
    account: account(server.url),
    options: { ...options, saveUrlInVariableId: 'vUrl', ...more },
    variables: { Name: 'Ada', Url: 'old' },
    chat: { files, publicUrl, ...chat },
  }
  return { ...(await runVendorBlock(run)), server, folder, run }
}

describe.each(Object.keys(voices))('a text said by %s', (name) => {
  it('is kept with the conversation, and its address is written', async () => {
    const { variables, visitorLogs, folder } = await say(name, { text: 'sound', type: 'audio/mpeg' })
    expect(visitorLogs).toEqual([])
    const path = `${resultOwner('result-1')}/upload-1.mp3`
    expect(variables['Url']).toBe(`${publicUrl}/uploads/${path}`)
    expect(await readFile(join(folder, path), 'utf8')).toBe('sound')
  })

  it.each<[string, VendorReply, string]>([
    ['a refusal', { status: 401, json: { detail: 'not key-speech-0001' } }, 'answered 401'],
    ['too much', { text: 'x'.repeat(6 * 1024 * 1024), type: 'audio/mpeg' }, 'could not be reached'],
    ['no room', { text: 'x'.repeat(2 * 1024 * 1024), type: 'audio/mpeg' }, 'room'],
    ['an apology', { json: { detail: 'not key-speech-0001' } }, 'The service sent application/json in place'],
    ['a page', { text: '<html>', type: 'text/html; charset=utf-8' }, 'The service sent text/html in place'],
    ['what has no type', { text: 'x', type: '<>' }, 'The service sent something else in place'],
  ])('leaves a log after %s, and the flow goes on', async (_what, answer, description) => {
    const { variables, visitorLogs, storedLogs, response } = await say(name, answer)
    expect(visitorLogs).toMatchObject([
      { status: 'error', description: expect.stringContaining(description) },
    ])
    expect(JSON.stringify(storedLogs)).not.toMatch(/speech-0001/)
    expect(variables['Url']).toBe('old')
    expect(response['messages']).toHaveLength(1)
  })

  it.each<[string, Json, string]>([
    ['nowhere to keep files', { files: undefined }, 'UPLOADS_DIR'],
    ['no address of its own', { publicUrl: undefined }, 'PUBLIC_URL'],
    ['no calls left', { limits: { ...defaultLimits, callsPerTurn: 0 } }, 'outgoing calls'],
  ])('is not asked for with %s', async (_what, chat, description) => {
    const { visitorLogs, server } = await say(name, { text: 'sound' }, {}, chat)
    expect(visitorLogs).toMatchObject([{ description: expect.stringContaining(description) }])
    expect(server.requests).toEqual([])
  })

  it('is not asked for by a preview without a token', async () => {
    const { run, server } = await say(name, { text: 'sound' })
    const asked = server.requests.length
    const logs = await previewVendorBlock(run)
    expect(logs).toMatchObject([{ description: 'Requests are not sent from this preview' }])
    expect(server.requests).toHaveLength(asked)
  })
})

it.each<[string, Json, string]>([
  ['openai', { input: '{{None}}' }, 'Create speech input is empty'],
  ['openai', { voice: undefined }, 'Create speech voice is empty'],
  ['openai', { saveUrlInVariableId: undefined }, 'Create speech save variable is empty'],
  ['elevenlabs', { voiceId: '' }, 'Voice ID is missing'],
  ['elevenlabs', { text: '' }, 'Text is missing'],
  ['elevenlabs', { saveUrlInVariableId: undefined }, 'Save variable is missing'],
])('%s with %j says what is missing', async (name, more, description) => {
  const { visitorLogs, server } = await say(name, { text: 'sound' }, more)
  expect(visitorLogs).toEqual([{ status: 'error', description }])
  expect(server.requests).toEqual([])
})

describe('a transcription', () => {
  const start = (answer: VendorReply, file: string) =>
    startStrictVendor({
      headers: { authorization: 'Bearer key-speech-0001' },
      refuse: (_status, message) => ({ error: { message } }),
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/audio\/transcriptions$/,
          parts: Type.Object(
            {
              model: Type.Literal('whisper-1'),
              prompt: Type.Literal('Names: Ada'),
              file: Type.Literal(file),
            },
            closed,
          ),
          answer: () => answer,
        },
      ],
    })

  async function listen(
    url: string,
    answer: VendorReply,
    file: string,
    { sound = 'sound', ...more }: Json = {},
  ) {
    const server = await start(answer, file)
    const mostBytes = 40 * 1024 * 1024
    const { files } = await openFiles(mostBytes)
    await files.save(
      { owner: resultOwner('result-1'), name: 'said.webm', isPrivate: true },
      (async function* () {
        yield Buffer.from(String(sound))
      })(),
      mostBytes,
    )
    return runVendorBlock({
      type: 'openai',
      account: { apiKey: 'key-speech-0001', baseUrl: `${server.url}/v1` },
      options: {
        action: 'Create transcription',
        url,
        prompt: 'Names: {{Name}}',
        transcriptionVariableId: 'vText',
        ...more,
      },
      variables: { Name: 'Ada', Text: 'old' },
      chat: { files, publicUrl },
    })
  }

  const own = `${publicUrl}/uploads/private/${resultOwner('result-1')}/said.webm`

  it('is made of what was uploaded in the conversation', async () => {
    const { variables, visitorLogs } = await listen(own, { json: { text: 'Hello' } }, 'said.webm: sound')
    expect(visitorLogs).toEqual([])
    expect(variables).toMatchObject({ Text: 'Hello' })
  })

  it('is made of an upload that is larger than answers may be, and of none that no vendor takes', async () => {
    const mebibytes = (count: number) => 'x'.repeat(count * 1024 * 1024)
    const large = mebibytes(6)
    const { variables } = await listen(own, { json: { text: 'Hello' } }, `said.webm: ${large}`, {
      sound: large,
    })
    expect(variables).toMatchObject({ Text: 'Hello' })
    const { visitorLogs } = await listen(own, {}, '', { sound: mebibytes(26) })
    expect(visitorLogs).toMatchObject([{ status: 'error' }])
  })

  it.each<[string, string, VendorReply, string]>([
    ['a refusal', own, { status: 400, json: { error: 'bad' } }, 'answered 400'],
    ['no JSON', own, { text: '<html>' }, 'answered what can not be read'],
    [
      'a file of somebody else',
      own.replace(/\/[\da-f]{32}\//, `/${'0'.repeat(32)}/`),
      {},
      'could not be reached',
    ],
    ['an address inside', 'http://127.0.0.1:9/a.mp3', {}, 'could not be reached'],
    ['what is no address', 'file:///etc/passwd', {}, 'The file can not be read'],
  ])('leaves a log after %s, and the flow goes on', async (_what, url, answer, description) => {
    const { variables, visitorLogs, response } = await listen(url, answer, 'said.webm: sound')
    expect(visitorLogs).toMatchObject([
      { status: 'error', description: expect.stringContaining(description) },
    ])
    expect(variables).toMatchObject({ Text: 'old' })
    expect(response['messages']).toHaveLength(1)
  })

  it('asks no address inside for a recording', async () => {
    const inside = await startRawHttpServer(() => httpAnswer(200, 'secret'))
    await listen(`${inside.url}/a.mp3`, {}, 'audio.mp3: secret')
    expect(inside.connections).toBe(0)
  })

  it.each<[Json, string]>([
    [{ url: '{{None}}' }, 'Audio URL is empty'],
    [{ transcriptionVariableId: undefined }, 'Missing transcription variable'],
  ])('with %j says what is missing', async (more, description) => {
    const { visitorLogs } = await listen(own, {}, '', more)
    expect(visitorLogs).toEqual([{ status: 'error', description }])
  })
})
