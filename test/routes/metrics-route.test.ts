import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'

const metricsText = { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: async () => 'a 1\n' }
const config = { bodyLimit: 1024, previewBodyLimit: 1024 }

describe('GET /metrics', () => {
  it('gives what was counted, in the format of Prometheus', async () => {
    const { app, logLines } = await buildTestApp({ metricsText })
    const response = await app.inject('/metrics')
    expect([response.statusCode, response.body]).toEqual([200, 'a 1\n'])
    expect(response.headers['content-type']).toBe(metricsText.contentType)
    expect(logLines).toMatchObject([{ msg: 'request', route: '/metrics', status: 200 }])
  })

  it.each([undefined, 'Bearer', 'Bearer wrong', 'Basic t0ken', 't0ken'])(
    'is closed by a token to who brings %j',
    async (authorization) => {
      const { app } = await buildTestApp({ metricsText, config: { ...config, metricsToken: 't0ken' } })
      const headers = authorization === undefined ? {} : { authorization }
      const response = await app.inject({ url: '/metrics', headers })
      expect(response.statusCode).toBe(401)
      expect(response.body).not.toContain('a 1')
      expect(response.headers['www-authenticate']).toBe('Bearer')
    },
  )

  it('is open to who brings the token', async () => {
    const { app } = await buildTestApp({ metricsText, config: { ...config, metricsToken: 't0ken' } })
    const response = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer t0ken' } })
    expect([response.statusCode, response.body]).toEqual([200, 'a 1\n'])
  })

  it('masks why it fails', async () => {
    const text = () => Promise.reject(new Error('hush'))
    const { app } = await buildTestApp({ metricsText: { ...metricsText, text } })
    const response = await app.inject('/metrics')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('hush')
  })
})
