import { expect, it } from 'vitest'
import { notKept } from '../support/built-service.ts'
import { loadedModules } from './loaded-modules.ts'

/** Starts a flow as programs do, and asks for pages as browsers do. */
async function lookInto(variables: Record<string, string>) {
  const statuses: number[] = []
  const loaded = await loadedModules(variables, async ({ address }) => {
    const start = { method: 'POST', body: '{}', headers: { ...notKept, 'content-type': 'application/json' } }
    statuses.push((await fetch(`${address}/v1/flows/lead-form/startChat`, start)).status)
    for (const path of ['/', '/f/lead-form', '/try', '/published-flows', '/script-frame'])
      statuses.push((await fetch(address + path, { headers: notKept })).status)
  })
  return {
    statuses,
    loaded: loaded.length,
    pages: loaded.filter((url) => url.includes('/dist/src/pages/')).length,
  }
}

it('pages are served, and what serves them is loaded, unless PAGES is off', async () => {
  const off = await lookInto({ PAGES: 'off' })
  expect(off).toMatchObject({ statuses: [200, 404, 404, 404, 404, 404], pages: 0 })
  expect(off.loaded).toBeGreaterThan(100)
  const unset = await lookInto({})
  expect(unset.statuses).toEqual([200, 403, 200, 403, 403, 200])
  expect(unset.pages).toBeGreaterThan(0)
})
