import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Rights, scopes } from '../../src/ports/caller.ts'
import { buildTestApp, recordingChat } from '../support/build-test-app.ts'
import { addressOf, listOperatorRoutes, type OperatorRoute } from '../support/operator-routes.ts'

let routes: readonly OperatorRoute[] | undefined

/** A service with one token of these rights, and what it says to each route of operators: its status and message. */
async function askAll(rights: Rights | undefined, name = 'x') {
  const token = { name: 'ci', token: 't0ken', ...(rights && { rights }) }
  const { app } = await buildTestApp({ chat: recordingChat().chat, config: { adminTokens: [token] } })
  routes ??= await listOperatorRoutes(app)
  expect(routes.length).toBeGreaterThan(20)
  const answers: (OperatorRoute & { readonly isRefused: boolean; readonly message: string })[] = []
  for (const route of routes) {
    const response = await app.inject({
      method: route.method as 'GET',
      url: addressOf(route, name),
      headers: { authorization: 'Bearer t0ken' },
    })
    expect(response.statusCode).not.toBe(401)
    const message = String(response.headers['content-type']).includes('json')
      ? String(response.json().message)
      : ''
    answers.push({ ...route, isRefused: message.startsWith('The token "ci"'), message })
  }
  return answers
}

const isRead = ({ method }: OperatorRoute) => method === 'GET' || method === 'HEAD'

describe('a token of an operator', () => {
  it('is let in everywhere where it has no limits', async () => {
    expect((await askAll(undefined)).filter(({ isRefused }) => isRefused)).toEqual([])
  })

  it.each(scopes)(
    'of the scope %s is let in where that counts, and told elsewhere what it lacks',
    async (scope) => {
      for (const { isRefused, scopes: asked, message } of await askAll({ scopes: [scope] })) {
        expect({ asked, isRefused }).toEqual({ asked, isRefused: !asked.includes(scope) })
        if (isRefused)
          expect(message).toBe(
            `The token "ci" lacks the scope ${asked[0]}: use another, or widen it in ADMIN_TOKENS`,
          )
      }
    },
  )

  it('that may only read changes nothing', async () => {
    for (const answer of await askAll({ isReadOnly: true })) {
      expect({ ...answer, isRefused: !isRead(answer) }).toEqual(answer)
    }
  })

  it('of one flow is let in at the routes of that flow alone', async () => {
    const isOfFlow = ({ path }: OperatorRoute) => path.includes('{publicId}')
    for (const answer of await askAll({ flow: 'shop' }, 'shop')) {
      expect({ ...answer, isRefused: !isOfFlow(answer) }).toEqual(answer)
    }
    for (const answer of await askAll({ flow: 'shop' }, 'bar')) {
      expect({ ...answer, isRefused: true }).toEqual(answer)
    }
  })

  it.each([
    ['without limits', undefined, 'admin'],
    ['of another flow', { flow: 'bar' }, 'anonymous'],
    ['of this flow', { flow: 'shop' }, 'admin'],
    ['that may only read', { isReadOnly: true }, 'anonymous'],
    ['of one scope', { scopes: ['results'] }, 'anonymous'],
  ] as const)('%s vouches for a contact as far as it goes', async (_name, rights, kind) => {
    const token = { name: 'ci', token: 't0ken', ...(rights && { rights }) }
    const { chat, published } = recordingChat()
    const { app } = await buildTestApp({ chat, config: { adminTokens: [token] } })
    const headers = { authorization: 'Bearer t0ken' }
    await app.inject({ method: 'POST', url: '/v1/flows/shop/startChat', headers })
    expect(published.map(({ caller }) => caller?.kind)).toEqual([kind])
  })
})

it('each route of operators has its row in the table of scopes', async () => {
  const { app } = await buildTestApp()
  const routes = await listOperatorRoutes(app)
  const rows = routes.map(
    ({ method, path, scopes: asked }) => `| \`${method} ${path}\` | \`${asked.join()}\` |`,
  )
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8')
  const shown = page.split('\n').filter((line) => /^\| `[A-Z]+ \/\S*` \| `\w+` \|$/.test(line))
  expect(shown).toEqual(rows)
})
