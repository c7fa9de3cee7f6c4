import { describe, expect, it } from 'vitest'
import type { UploadRequest } from '../../../src/uploads/create-upload-url.ts'
import { noUploads } from '../../../src/uploads/uploads-service.ts'
import { adminTokens } from '../../support/admin-tokens.ts'
import { buildTestApp, recordingChat, shareTestApp } from '../../support/build-test-app.ts'

const preview = '/v1/flows/flow-1/preview/startChat'
const json = { 'content-type': 'application/json' }

const unauthorized = {
  status: 401,
  code: 'UNAUTHORIZED',
  message: 'You must be authenticated to access this resource',
}

describe('a preview where a token is set', () => {
  async function start(authorization: string | undefined, previewToken = 't0ken') {
    const { chat, previews } = recordingChat()
    const { app } = await shareTestApp({ chat, config: { previewToken } })
    const headers = authorization === undefined ? {} : { authorization }
    const response = await app.inject({ method: 'POST', url: preview, headers })
    return { response, previews }
  }

  it.each([
    'Bearer t0ken',
    'bearer t0ken',
    'BEARER t0ken',
    'bEaReR t0ken',
    'Bearer    t0ken',
    'Bearer t0ken   ',
  ])('is trusted with "%s"', async (authorization) => {
    const { response, previews } = await start(authorization)
    expect(response.statusCode).toBe(200)
    expect(previews).toMatchObject([{ caller: { kind: 'preview' } }])
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    't0ken',
    'Bearert0ken',
    'Basic t0ken',
    'Bearer Bearer t0ken',
    'Bearer T0KEN',
    'Bearer t0ke',
    'Bearer t0ken2',
    'Bearer t0ken, Bearer t0ken',
    'Bearer t0ken t0ken',
    'Bearer "t0ken"',
    'Token t0ken',
    `Bearer ${'x'.repeat(10_000)}`,
  ])('is refused with "%.30s", by words that hold no token', async (authorization) => {
    const { response, previews } = await start(authorization)
    expect(response.json()).toMatchObject(unauthorized)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.body).not.toContain('t0ken')
    expect(previews).toEqual([])
  })

  it('compares every character, those beyond ASCII included', async () => {
    expect((await start('Bearer gehéim-🎈', 'gehéim-🎈')).response.statusCode).toBe(200)
    expect((await start('Bearer geheim-🎈', 'gehéim-🎈')).response.statusCode).toBe(401)
  })
})

it.each([undefined, '', 'Bearer', 'Bearer anything', 'Bearer undefined'])(
  'leaves previews open where no token is set, and gives nothing for "%s"',
  async (authorization) => {
    const { chat, previews } = recordingChat()
    const { app } = await shareTestApp({ chat })
    const headers = authorization === undefined ? {} : { authorization }
    expect((await app.inject({ method: 'POST', url: preview, headers })).statusCode).toBe(200)
    expect(previews).toMatchObject([{ caller: { kind: 'anonymous' } }])
  },
)

describe('what the operator alone may do', () => {
  const operations = [
    ['GET', '/v1/flows/welcome/results'],
    ['GET', '/v1/flows/welcome/results?format=csv'],
    ['GET', '/v1/flows/welcome/results/r1'],
    ['DELETE', '/v1/flows/welcome/results'],
    ['DELETE', '/v1/flows/welcome/results/r1'],
    ['POST', '/v1/sessions/s1/updateFlow'],
    ['POST', '/v1/flows/flow-1/blocks/b1/results/r1/executeWebhook'],
    ['GET', '/v1/flows'],
    ['GET', '/v1/flows/welcome'],
    ['PUT', '/v1/flows/welcome'],
    ['PATCH', '/v1/flows/welcome'],
    ['DELETE', '/v1/flows/welcome'],
    ['GET', '/v1/flows/welcome/versions'],
    ['POST', '/v1/flows/welcome/rollback'],
    ['GET', '/v1/audit'],
    ['GET', '/uploads/private/owner/name.png'],
    ['HEAD', '/uploads/private/owner/name.png'],
  ] as const

  it.each(operations)('is refused without the token, whatever else is wrong: %s %s', async (method, url) => {
    const config = { adminTokens: adminTokens('adm1n'), previewToken: 'pr3view' }
    const { app } = await shareTestApp({ config })
    for (const authorization of [undefined, '', 'Bearer adm1', 'Bearer pr3view', 'Basic adm1n', 'adm1n']) {
      const headers = { ...json, ...(authorization !== undefined && { authorization }) }
      const { statusCode } = await app.inject({
        method,
        url,
        headers,
        ...(['POST', 'PUT', 'PATCH'].includes(method) && { payload: '{' }),
      })
      expect([authorization, statusCode]).toEqual([authorization, 401])
    }
  })

  it('says how to send the token, and keeps the words that clients of previews compare', async () => {
    const config = { adminTokens: adminTokens('adm1n'), previewToken: 'pr3view', metricsToken: 'm3trics' }
    const { app } = await shareTestApp({ config })
    const bare = 'You must be authenticated to access this resource'
    const saidAt = async (method: 'GET' | 'POST', url: string) =>
      (await app.inject({ method, url })).json().message
    expect(await saidAt('GET', '/v1/flows')).toBe(
      `${bare}: send ADMIN_TOKEN as \`Authorization: Bearer <token>\``,
    )
    expect(await saidAt('GET', '/metrics')).toBe(
      `${bare}: send METRICS_TOKEN as \`Authorization: Bearer <token>\``,
    )
    expect(await saidAt('POST', preview)).toBe(bare)
  })

  it.each(operations)('is off where no token is set: %s %s', async (method, url) => {
    const { app } = await shareTestApp()
    for (const authorization of ['', 'Bearer', 'Bearer undefined', 'Bearer x']) {
      const response = await app.inject({ method, url, headers: { authorization } })
      expect(response.statusCode).toBe(403)
      if (method !== 'HEAD') expect(response.json().message).toContain('ADMIN_TOKEN')
    }
  })
})

it('lets in every operator with a token of their own, and nobody else', async () => {
  const adminTokens = [
    { name: 'admin', token: 'one' },
    { name: 'ci', token: 'two' },
  ]
  const { app } = await buildTestApp({ config: { adminTokens } })
  for (const [token, status] of [
    ['one', 200],
    ['two', 200],
    ['three', 401],
  ] as const) {
    const headers = { authorization: `Bearer ${token}` }
    expect((await app.inject({ url: '/v1/flows', headers })).statusCode).toBe(status)
  }
})

it('passes the principal to the operations of a session', async () => {
  const { chat, continued } = recordingChat()
  const offered: UploadRequest[] = []
  const offer: typeof noUploads.offer = async (request) => {
    offered.push(request)
    return { presignedUrl: '', formData: {}, fileUrl: '', fileType: 'image/png', maxFileSize: 1 }
  }
  const uploads = { ...noUploads, offer }
  const { app } = await buildTestApp({ chat, uploads, config: { previewToken: 't0ken' } })
  for (const authorization of ['Bearer t0ken', 'Bearer other']) {
    const headers = { authorization }
    await app.inject({ method: 'POST', url: '/v1/sessions/s1/continueChat', headers })
    const payload = { sessionId: 's1', fileType: 'image/png' }
    await app.inject({ method: 'POST', url: '/v3/generate-upload-url', headers, payload })
  }
  for (const asked of [continued, offered]) {
    expect(asked).toMatchObject([{ caller: { kind: 'preview' } }, { caller: { kind: 'anonymous' } }])
  }
})
