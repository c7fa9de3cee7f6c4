import { expect, it, vi } from 'vitest'
import { openServerClock } from '../../../src/stores/postgres/server-clock.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'

describeWithPostgres('the clock of PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('is counted on by itself, whatever the one of the machine says, and asked for again', async () => {
    const { database, advance } = await openPostgresStores(databaseUrl())
    let again = () => {}
    const timers = {
      after(_ms: number, run: () => void) {
        again = run
      },
    }
    const { now, close } = await openServerClock(database, timers)
    const serverNow = async () => {
      const [row] = await database.query<{ now: number }>('SELECT service_clock() AS now')
      return Number(row?.now)
    }
    const isNear = async () => Math.abs((await serverNow()) - now()) < 5_000
    vi.spyOn(Date, 'now').mockReturnValue(0)
    expect(await isNear()).toBe(true)
    await advance(3_600_000)
    expect(await isNear()).toBe(false)
    again()
    await expect.poll(isNear).toBe(true)
    close()
    vi.restoreAllMocks()
  })
})
