import { describe, expect, it } from 'vitest'
import type { SaveClientLogsRequest } from '../../src/conversations/continue/save-client-logs.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { recordingChat, shareTestApp } from '../support/build-test-app.ts'

const url = '/v2/sessions/session-1/clientLogs'

async function setup(failure?: Error) {
  const saved: SaveClientLogsRequest[] = []
  const saveClientLogs = async (request: SaveClientLogsRequest) => {
    saved.push(request)
    if (failure) throw failure
  }
  const { app } = await shareTestApp({ chat: { ...recordingChat().chat, saveClientLogs } })
  return { app, saved }
}

describe('POST /v2/sessions/{sessionId}/clientLogs', () => {
  it('hands the logs to the use case, and says that they are kept', async () => {
    const { app, saved } = await setup()
    const body = {
      clientLogs: [
        { status: 'info', description: 'a', details: 'b', context: 'c', extra: 1 },
        { description: '' },
      ],
    }
    const headers = { origin: 'https://shop.example' }
    const response = await app.inject({ method: 'POST', url, headers, payload: body })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({ message: 'Logs successfully saved.' })
    expect(saved).toMatchObject([{ sessionId: 'session-1', origin: 'https://shop.example', body }])
  })

  it('reports why they are not', async () => {
    const { app } = await setup(new ServiceError('NOT_FOUND', 'Result not found.'))
    const response = await app.inject({ method: 'POST', url, payload: { clientLogs: [] } })
    expect(response.statusCode).toBe(404)
    expect(response.json().message).toBe('Result not found.')
  })

  it('takes a hundred logs of 16 KiB texts', async () => {
    const { app, saved } = await setup()
    const long = { description: 'd'.repeat(16_384), details: 'é'.repeat(16_384), context: 'c'.repeat(16_384) }
    const clientLogs = [long, ...Array(99).fill({ description: 'x' })]
    const response = await app.inject({ method: 'POST', url, payload: { clientLogs } })
    expect(response.statusCode).toBe(200)
    expect(saved).toHaveLength(1)
  })

  const tooLong = 'x'.repeat(16_385)

  it.each<[string, unknown, string, string]>([
    ['no logs', {}, '', "must have required property 'clientLogs'"],
    ['logs that are no list', { clientLogs: {} }, '/clientLogs', 'must be array'],
    [
      'a hundred and one logs',
      { clientLogs: Array(101).fill({ description: 'x' }) },
      '/clientLogs',
      'must NOT have more than 100 items',
    ],
    [
      'a log without a description',
      { clientLogs: [{ details: 'x' }] },
      '/clientLogs/0',
      "must have required property 'description'",
    ],
    [
      'a status that nobody knows',
      { clientLogs: [{ status: 'bad', description: 'x' }] },
      '/clientLogs/0/status',
      'must be one of: error, info, success',
    ],
    [
      'details that are no text',
      { clientLogs: [{ description: 'x' }, { description: 'x', details: {} }] },
      '/clientLogs/1/details',
      'must be string',
    ],
    ...['description', 'details', 'context'].map((key): [string, unknown, string, string] => [
      `a ${key} that is too long`,
      { clientLogs: [{ description: 'x', [key]: tooLong }] },
      `/clientLogs/0/${key}`,
      'must NOT have more than 16384 characters',
    ]),
  ])('refuses %s by its place', async (_name, payload, pointer, message) => {
    const { app, saved } = await setup()
    const response = await app.inject({ method: 'POST', url, payload: payload as object })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'BAD_REQUEST', errors: [{ pointer, message }] })
    expect(saved).toEqual([])
  })
})
