import { expect, it } from 'vitest'
import { bubble, rememberingFlow, textInput, variable } from '../../fixtures/short-flows.ts'
import { openService, shownIn } from './open-service.ts'

const asking = rememberingFlow({
  blocks: [bubble('b1', 'Hello {{Name}}'), textInput('i1', 'vName'), textInput('i2')],
  variables: [variable('Name')],
})

const url = '/v1/flows/flow-1/results'

/** The service with an operator who imports rows of one cell, the name. */
async function openWithImports() {
  const service = await openService([asking], { adminToken: 'admin-t0ken' })
  const headers = { authorization: 'Bearer admin-t0ken' }
  return {
    ...service,
    async take(key: string, name: string) {
      const rows = [{ key, createdAt: '2025-06-03T14:15:00Z', cells: [name] }]
      return (await service.post(`${url}/import`, { columns: ['Name'], rows }, headers)).body
    },
    results: async () => (await service.app.inject({ url, headers })).json().results,
    erase: (id: string) => service.app.inject({ method: 'DELETE', url: `${url}/${id}`, headers }),
  }
}

it('Somebody who knows a row of a table that was imported goes on with its result', async () => {
  const { take, results, start } = await openWithImports()
  await take('1', 'Ada')
  const [{ id: resultId }] = await results()
  const { body } = await start({ resultId })
  expect(shownIn(body).join()).not.toContain('Ada')
  expect(body.resultId).not.toBe(resultId)
})

it('An import writes over what was said here, or brings back what was erased', async () => {
  const { take, results, erase, start, say } = await openWithImports()
  const { sessionId, resultId } = (await start()).body
  await say(sessionId, 'Bea')
  const before = await results()
  expect(await take(resultId, 'Eve')).toMatchObject({ imported: 1, known: 0 })
  const after = await results()
  expect(after).toHaveLength(2)
  expect(after).toEqual(expect.arrayContaining(before))
  const imported = after.find(({ isImported }: { isImported?: true }) => isImported)
  await erase(imported.id)
  expect(await take(resultId, 'Eve')).toMatchObject({ imported: 0, known: 1 })
  expect(await results()).toEqual(before)
})
