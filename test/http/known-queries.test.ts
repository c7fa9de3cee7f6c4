import { expect, it } from 'vitest'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import type { Json } from '../support/json.ts'
import { addressOf, listOperatorRoutes } from '../support/operator-routes.ts'

/** Bodies of routes that refuse others first. */
const bodies: Readonly<Record<string, object>> = {
  '/v1/webhooks/x': { url: 'https://crm.example' },
  '/v1/flows/x/results/import': { columns: ['Name'], rows: [] },
  '/v1/channels/x': { account: 'a', flow: 'f' },
  '/v1/channels/x/invite': {
    contact: { user: '1' },
    template: { name: 'a', language: 'fr' },
    key: 'k',
    consent: { at: '2026-11-21T09:17:01.712Z', text: 'Yes', source: 'a' },
  },
}

it('refuses a key that a route of an operator does not know, and names those that it knows', async () => {
  const { app } = await buildTestApp({ config: { adminTokens: adminTokens('t0ken') } })
  const own = (await listOperatorRoutes(app)).filter(({ path }) => path.startsWith('/v1/'))
  const routes = own.map((route) => ({ method: route.method, url: addressOf(route) }))
  expect(routes.length).toBeGreaterThan(12)
  const answers: Json[] = []
  for (const { method, url } of routes) {
    const { statusCode, body } = await app.inject({
      method: method as 'GET',
      url: `${url}?answr=x`,
      headers: { authorization: 'Bearer t0ken', 'if-match': '"1"' },
      ...(['POST', 'PUT', 'PATCH'].includes(method) && {
        payload: bodies[url] ?? { version: 1, isClosed: true },
      }),
    })
    const { errors } = JSON.parse(body)
    const named = errors?.filter(({ pointer }: { pointer: string }) => pointer === '/answr').length
    if (statusCode !== 400 || named !== 1) answers.push({ method, url, statusCode, body })
  }
  expect(answers).toEqual([])
})

it('says which keys there are', async () => {
  const { app } = await buildTestApp({ config: { adminTokens: adminTokens('t0ken') } })
  const { errors } = (
    await app.inject({ url: '/v1/audit?befor=1', headers: { authorization: 'Bearer t0ken' } })
  ).json()
  expect(errors).toEqual([{ pointer: '/befor', message: 'is not known here; known are: limit, before' }])
})
