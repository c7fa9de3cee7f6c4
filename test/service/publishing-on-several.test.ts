import { expect, it } from 'vitest'
import { asking, openService } from '../publication/open-publishing-service.ts'
import { describeWithPostgres, useDatabase } from '../support/postgres/postgres-tests.ts'

/** What publications are known to every process within. */
const known = { timeout: 60_000 }

describeWithPostgres('publishing for several processes', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)
  const open = () => openService({ DATA_DIR: '', DATABASE_URL: databaseUrl() })

  it('serves what one has published by the others, and keeps their conversations where they are', async () => {
    const [one, two] = [await open(), await open()]
    await one.publish(asking('a', 'b'))
    await expect.poll(() => two.startedAt(), known).toMatchObject({ at: 'a' })
    const { sessionId } = await two.startedAt()
    await one.publish(asking('x'))
    await expect.poll(() => two.startedAt(), known).toMatchObject({ at: 'x' })
    const next = await one.ask('POST', `/sessions/${sessionId}/continueChat`, { message: 'hello' })
    expect(next.body.input.id).toBe('b')
    await two.ask('POST', '/flows/shop/rollback', { version: 1 })
    await expect.poll(() => one.startedAt(), known).toMatchObject({ at: 'a' })
    await one.ask('PATCH', '/flows/shop', { isClosed: true })
    await expect.poll(() => two.startedAt(), known).toEqual({ status: 400 })
    await two.ask('DELETE', '/flows/shop')
    await expect.poll(() => one.startedAt(), known).toEqual({ status: 404 })
    const { body } = await one.ask('GET', '/audit')
    expect(body.rows.map(({ action }: { action: string }) => action)).toEqual([
      'delete',
      'set',
      'rollback',
      'publish',
      'publish',
    ])
  })

  it('refuses the later of two editors by whichever process they ask', async () => {
    const [one, two] = [await open(), await open()]
    const { etag } = await one.publish(asking('a'))
    const ifMatch = { 'if-match': String(etag) }
    const statuses = await Promise.all([one.publish(asking('b'), ifMatch), two.publish(asking('c'), ifMatch)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it('starts with what was published before', async () => {
    const one = await open()
    await one.publish(asking('late'))
    await one.restart()
    expect(await one.startedAt()).toMatchObject({ at: 'late' })
  })
})
