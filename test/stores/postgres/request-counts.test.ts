import { expect, it } from 'vitest'
import { createRequestCounts } from '../../../src/stores/postgres/request-counts.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'

const windowMs = 60_000

describeWithPostgres('counts of requests in PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open() {
    const { database, advance } = await openPostgresStores(databaseUrl())
    const { add } = createRequestCounts(database)
    const countsAfter = async (added: Record<string, number>) => {
      const sums = await add(new Map(Object.entries(added)), windowMs)
      return Object.fromEntries([...sums].map(([name, { count }]) => [name, count]))
    }
    return { add, countsAfter, advance }
  }

  it('are the sums of what all processes add, in whatever order they name them', async () => {
    const { countsAfter } = await open()
    expect(await countsAfter({ ada: 3, bob: 1 })).toEqual({ ada: 3, bob: 1 })
    const names = Array.from({ length: 50 }, (_, nth) => `visitor ${nth}`)
    const added = names.map((name) => [name, 1] as const)
    await Promise.all([added, added.toReversed(), added].map((each) => countsAfter(Object.fromEntries(each))))
    expect(await countsAfter({ ada: 2, 'visitor 7': 1 })).toEqual({ ada: 5, 'visitor 7': 4 })
  })

  it('begin anew once the time since the first is over, by the clock of the server', async () => {
    const { add, countsAfter, advance } = await open()
    await countsAfter({ ada: 3 })
    await advance(windowMs / 2)
    const { count, ttlMs } = (await add(new Map([['ada', 1]]), windowMs)).get('ada') ?? { count: 0, ttlMs: 0 }
    expect(count).toBe(4)
    expect(ttlMs).toBeLessThanOrEqual(windowMs / 2)
    await advance(windowMs / 2 + 1)
    expect(await countsAfter({ ada: 1 })).toEqual({ ada: 1 })
  })
})
