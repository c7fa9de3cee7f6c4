import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { adminTokens } from '../../support/admin-tokens.ts'
import { buildTestApp } from '../../support/build-test-app.ts'

const levels = 8_000

const deepBodies = [
  ['lists', '['.repeat(levels) + ']'.repeat(levels)],
  ['objects', `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
  ['a list in a known key', `{"flow":${'['.repeat(levels)}${']'.repeat(levels)}}`],
] as const

/** The service with both of its APIs, and every route of it that takes JSON. */
async function serveAll() {
  const routes: string[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      // What is sent to uploads are files, and messengers have to prove first that it is them.
      if (url.includes('/uploads/') || url === '/v1/channels/:name/webhook') return
      for (const one of [method].flat()) if (/^(POST|PUT|PATCH)$/.test(one)) routes.push(`${one} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  onTestFinished(() => void unsubscribe('fastify.initialization', listen))
  const { app, logLines } = await buildTestApp({
    config: {
      adminTokens: adminTokens('4dmin'),
      mcpTokens: [{ name: 'desk', token: '4ssistant' }],
      compat: { trustedViewerOrigins: [] },
    },
  })
  return { app, logLines, routes }
}

describe.each(deepBodies)('eight thousand levels of %s', (_kind, payload) => {
  it('are refused by every route that takes JSON, before anything is made of them', async () => {
    const { app, logLines, routes } = await serveAll()
    const answers: Record<string, number> = {}
    for (const route of routes) {
      const [method, url = ''] = route.split(' ') as ['POST', string]
      const authorization = `Bearer ${url === '/mcp' ? '4ssistant' : '4dmin'}`
      const headers = { 'content-type': 'application/json', authorization }
      const path = url.replace(/:\w+/g, 'x')
      answers[route] = (await app.inject({ method, url: path, payload, headers })).statusCode
    }
    expect(routes.length).toBeGreaterThan(25)
    expect(answers).toEqual(Object.fromEntries(routes.map((route) => [route, 400])))
    expect(logLines.filter(({ level }) => Number(level) > 40)).toEqual([])
  })
})

it('counts no brackets in texts', async () => {
  const { app } = await serveAll()
  const payload = { message: `"${'['.repeat(16_000)}` }
  const { statusCode } = await app.inject({ method: 'POST', url: '/v1/sessions/x/continueChat', payload })
  expect(statusCode).toBe(200)
})
