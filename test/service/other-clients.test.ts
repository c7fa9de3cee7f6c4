import { expect, it } from 'vitest'
import { notKept } from '../support/built-service.ts'
import { loadedModules } from './loaded-modules.ts'

/** Addresses that only clients of the other API ask for; a public id among them. */
const addresses = [
  ['POST', '/api/v1/typebots/lead-form/startChat'],
  ['POST', '/api/v1/sendMessage'],
  ['GET', '/api/healthz'],
  ['GET', '/lead-form'],
] as const

/** Asks for what clients of both ask for: what was answered, and what was loaded for it. */
async function lookInto(variables: Record<string, string>) {
  const answered: number[] = []
  const loaded = await loadedModules(variables, async ({ address }) => {
    const ask = async (method: string, path: string) => {
      const body = method === 'POST' ? '{"startParams":{"typebot":"lead-form"}}' : null
      const headers = { ...notKept, 'content-type': 'application/json' }
      answered.push((await fetch(address + path, { method, body, headers })).status)
    }
    await ask('POST', '/v1/flows/lead-form/startChat')
    for (const [method, path] of addresses) await ask(method, path)
  })
  const [own, ...statuses] = answered
  return { own, statuses, loaded }
}

/** What serves other clients: our own folder, and the libraries that nothing else needs. */
const ofOthers = (urls: readonly string[]) =>
  urls.flatMap(
    (url) => /dist\/src\/(compat)\/|node_modules\/(ws|@fastify\/busboy)\//.exec(url)?.slice(1) ?? [],
  )

it('clients of another API are served, and what serves them is loaded, with COMPAT_API alone', async () => {
  const off = await lookInto({})
  expect(off).toMatchObject({ own: 200, statuses: [404, 404, 404, 404] })
  expect(off.loaded.length).toBeGreaterThan(100)
  expect(ofOthers(off.loaded)).toEqual([])
  const on = await lookInto({ COMPAT_API: 'on' })
  expect(on).toMatchObject({ own: 200, statuses: [200, 200, 200, 200] })
  expect([...new Set(ofOthers(on.loaded).filter(Boolean))].sort()).toEqual([
    '@fastify/busboy',
    'compat',
    'ws',
  ])
})
