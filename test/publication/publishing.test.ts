import { describe, expect, it } from 'vitest'
import { asking, flawed, openService } from './open-publishing-service.ts'

describe.each([
  ['a data folder', {}],
  ['memory', { DATA_DIR: '' }],
])('publishing over HTTP into %s', (_, kept) => {
  const open = (variables: Record<string, string> = {}) => openService({ ...kept, ...variables })

  it('serves a definition at once, and names its version', async () => {
    const { publish, ask, startedAt } = await open()
    const { status, etag, body } = await publish(asking('a'))
    expect({ status, etag }).toEqual({ status: 200, etag: '"1"' })
    expect(body).toEqual({
      publicId: 'shop',
      version: 1,
      publishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      publishedBy: 'admin',
      isClosed: false,
      isArchived: false,
      isChanged: true,
      findings: expect.any(Array),
    })
    expect(await startedAt()).toMatchObject({ at: 'a' })
    const read = await ask('GET', '/flows/shop')
    expect(read.etag).toBe('"1"')
    expect(read.body).toMatchObject({ version: 1, publishedBy: 'admin', definition: asking('a') })
  })

  it('names blocks of the version before that are gone, where sessions may wait', async () => {
    const { publish } = await open()
    const codes = ({ body }: Awaited<ReturnType<typeof publish>>) =>
      body.findings.map(({ code }: { code: string }) => code)
    expect(codes(await publish(asking('a')))).not.toContain('removes-waiting-block')
    expect(codes(await publish(asking('a', 'b')))).not.toContain('removes-waiting-block')
    const { body } = await publish(asking('b'))
    expect(body.findings).toContainEqual({
      code: 'removes-waiting-block',
      severity: 'warning',
      pointer: '/groups',
      hint: expect.stringContaining('No session can wait at "a" any more'),
    })
  })

  it('makes no version of what is served already', async () => {
    const { publish } = await open()
    await publish(asking('a'))
    const { etag, body } = await publish(asking('a'), { authorization: 'Bearer 4nn' })
    expect(etag).toBe('"1"')
    expect(body).toMatchObject({ version: 1, publishedBy: 'admin', isChanged: false })
  })

  it('refuses what is no definition, with the places that are wrong', async () => {
    const { publish, startedAt } = await open()
    const { status, body } = await publish({ ...asking('a'), groups: [{ id: 'g1', blocks: 7 }] })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ pointer: '/groups/0/blocks' }])
    expect((await publish({}, {})).status).toBe(400)
    expect(await startedAt()).toEqual({ status: 404 })
  })

  it('refuses a definition with errors, unless it is forced', async () => {
    const { publish, ask, startedAt } = await open()
    const { status, body } = await publish(flawed)
    expect(status).toBe(400)
    expect(body.message).toContain('?force=true')
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain('/edges/1/to/groupId')
    expect(await startedAt()).toEqual({ status: 404 })
    const forced = await ask('PUT', '/flows/shop?force=true', flawed)
    expect(forced.status).toBe(200)
    expect(forced.body.findings).toContainEqual(expect.objectContaining({ severity: 'error' }))
    expect(await startedAt()).toMatchObject({ at: 'a' })
  })

  it('refuses the later of two editors who began with one version, and names the present one', async () => {
    const { publish, startedAt } = await open()
    const { etag } = await publish(asking('a'))
    const ifMatch = { 'if-match': String(etag) }
    expect((await publish(asking('b'), ifMatch)).etag).toBe('"2"')
    const late = await publish(asking('c'), ifMatch)
    expect(late).toMatchObject({ status: 412, etag: '"2"', body: { code: 'PRECONDITION_FAILED' } })
    expect(await startedAt()).toMatchObject({ at: 'b' })
  })

  it('publishes only what is new where that is asked for', async () => {
    const { publish } = await open()
    const isNew = { 'if-none-match': '*' }
    expect((await publish(asking('a'), isNew)).status).toBe(200)
    expect(await publish(asking('b'), isNew)).toMatchObject({ status: 412, etag: '"1"' })
    expect((await publish(asking('b'), { 'if-match': '"x"' })).status).toBe(412)
    expect((await publish(asking('b'), { 'if-match': 'x' })).status).toBe(400)
    expect((await publish(asking('b'), { 'if-match': '*' })).status).toBe(200)
  })

  it('goes back to a version, and numbers the next one on', async () => {
    const { publish, ask, startedAt } = await open()
    for (const id of ['a', 'b']) await publish(asking(id))
    const back = await ask('POST', '/flows/shop/rollback', { version: 1 })
    expect(back).toMatchObject({ status: 200, etag: '"1"', body: { version: 1, isChanged: true } })
    expect(await startedAt()).toMatchObject({ at: 'a' })
    expect((await ask('POST', '/flows/shop/rollback', { version: 7 })).status).toBe(404)
    expect((await ask('POST', '/flows/shop/rollback', { version: '1' })).status).toBe(400)
    await publish(asking('c'))
    const { etag, body } = await ask('GET', '/flows/shop/versions')
    expect(etag).toBe('"3"')
    expect(body.versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1])
  })

  it('closes and archives a flow, and opens it again', async () => {
    const { publish, ask, startedAt } = await open()
    await publish(asking('a'))
    const closed = await ask('PATCH', '/flows/shop', { isClosed: true })
    expect(closed).toMatchObject({ status: 200, body: { isClosed: true, isArchived: false, version: 1 } })
    expect(await startedAt()).toEqual({ status: 400 })
    await ask('PATCH', '/flows/shop', { isClosed: false, isArchived: true })
    expect(await startedAt()).toEqual({ status: 404 })
    await ask('PATCH', '/flows/shop', { isArchived: false })
    expect(await startedAt()).toMatchObject({ at: 'a' })
    expect((await ask('PATCH', '/flows/shop', {})).status).toBe(400)
    expect((await ask('PATCH', '/flows/shop', { isClosed: 'yes' })).status).toBe(400)
  })

  it('says who changed what, by the names of the tokens', async () => {
    const { publish, ask } = await open()
    await publish(asking('a'), { authorization: 'Bearer 4nn' })
    await publish(asking('b'))
    await ask('POST', '/flows/shop/rollback', { version: 1 }, { authorization: 'Bearer 4nn' })
    await ask('DELETE', '/flows/shop')
    const { body } = await ask('GET', '/audit?limit=3')
    const rows: { actor: string; action: string; subject: string; number: number }[] = body.rows
    expect(rows.map(({ actor, action, subject }) => `${actor} ${action} ${subject}`)).toEqual([
      'admin delete shop',
      'ann rollback shop',
      'admin publish shop',
    ])
    const before = await ask('GET', `/audit?before=${rows[2]?.number}`)
    expect(before.body.rows).toMatchObject([{ actor: 'ann', action: 'publish', detail: 'version 1' }])
  })

  it('lists flows beside those of files, and marks what a file hides', async () => {
    const { publish, ask } = await open()
    await publish(asking('a'))
    const { body } = await ask('GET', '/flows')
    expect(body.flows).toMatchObject([
      { file: 'file.json', state: 'published', publicId: 'file' },
      { version: 1, state: 'published', publicId: 'shop', flowId: 'shop-flow', problems: [] },
    ])
    expect(body.flows[1]).not.toHaveProperty('file')
  })

  it.each([
    ['PUT', '/flows/file', asking('a')],
    ['PATCH', '/flows/file', { isClosed: true }],
    ['POST', '/flows/file/rollback', { version: 1 }],
    ['DELETE', '/flows/file', undefined],
  ] as const)('leaves flows of files to their files: %s %s', async (method, path, payload) => {
    const { ask, startedAt } = await open()
    const { status, body } = await ask(method, path, payload)
    expect(status).toBe(409)
    expect(body.message).toContain('FLOWS_DIR')
    expect(await startedAt('file')).toMatchObject({ at: 'f' })
  })

  it('shows the definition of a flow file, which has no versions', async () => {
    const { ask } = await open()
    const { status, etag, body } = await ask('GET', '/flows/file')
    expect({ status, etag }).toEqual({ status: 200, etag: undefined })
    expect(body).not.toHaveProperty('version')
    expect(body.definition.groups).toHaveLength(1)
    expect((await ask('GET', '/flows/file/versions')).body).toEqual({ versions: [] })
  })

  it.each(['%00', 'a%2Fb', 'gr%C3%B6%C3%9Fe', 'x'.repeat(129)])(
    'takes no public id that an address can not hold as it stands: %s',
    async (id) => {
      const { ask } = await open()
      expect((await ask('PUT', `/flows/${id}`, asking('a'))).status).toBe(400)
      for (const path of [`/flows/${id}`, `/flows/${id}/versions`])
        expect((await ask('GET', path)).status).toBe(404)
      expect((await ask('DELETE', `/flows/${id}`)).status).toBe(404)
    },
  )

  it('takes definitions that are larger than other bodies', async () => {
    const { publish } = await open({ BODY_LIMIT: '1000' })
    const ofLength = (length: number) => ({ ...asking('a'), name: 'n'.repeat(length) })
    expect((await publish(ofLength(5000))).status).toBe(200)
    expect((await publish(ofLength(9000))).status).toBe(413)
  })

  it('says who erased results', async () => {
    const { ask, startedAt } = await open()
    await startedAt('file')
    const { body } = await ask('DELETE', '/flows/file/results?all=true')
    expect(body).toEqual({ deleted: 1 })
    expect((await ask('GET', '/audit')).body.rows).toMatchObject([
      { actor: 'admin', action: 'erase', subject: 'file', detail: '1 result: all' },
    ])
  })
})

describe('what was published over HTTP into a data folder', () => {
  it('keeps conversations on the version they began with, also after the flow was deleted', async () => {
    const { publish, ask, startedAt, restart } = await openService()
    await publish(asking('a', 'b'))
    const [one, two] = [await startedAt(), await startedAt()]
    await publish(asking('x'))
    expect(await startedAt()).toMatchObject({ at: 'x' })
    const next = (sessionId: unknown) =>
      ask('POST', `/sessions/${sessionId}/continueChat`, { message: 'hello' })
    expect((await next(one.sessionId)).body.input.id).toBe('b')
    expect((await ask('DELETE', '/flows/shop')).status).toBe(204)
    await restart()
    expect((await next(two.sessionId)).body.input.id).toBe('b')
    expect(await startedAt()).toEqual({ status: 404 })
  })

  it('serves what was published after a restart', async () => {
    const { publish, startedAt, restart } = await openService()
    await publish(asking('a'))
    await restart()
    expect(await startedAt()).toMatchObject({ at: 'a' })
  })

  it('is ready without a folder of flows once something is published', async () => {
    const { publish, ask, restart } = await openService({ FLOWS_DIR: '/no/such/folder' })
    await publish(asking('a'))
    await restart()
    expect((await ask('GET', '/flows')).body.flows).toHaveLength(1)
  })
})

describe('what was published over HTTP into memory', () => {
  const memory = { DATA_DIR: '' }

  it('keeps conversations on the version they began with, also after the flow was deleted', async () => {
    const { publish, ask, startedAt } = await openService(memory)
    await publish(asking('a', 'b'))
    const [one, two] = [await startedAt(), await startedAt()]
    await publish(asking('x'))
    const next = (sessionId: unknown) =>
      ask('POST', `/sessions/${sessionId}/continueChat`, { message: 'hello' })
    expect((await next(one.sessionId)).body.input.id).toBe('b')
    await ask('DELETE', '/flows/shop')
    expect((await next(two.sessionId)).body.input.id).toBe('b')
    expect(await startedAt()).toEqual({ status: 404 })
  })

  it('keeps to its share of memory, and says so', async () => {
    const { publish, startedAt } = await openService({ ...memory, MEMORY_MAX_BYTES: String(32 * 65536) })
    const ofLength = (length: number) => ({ ...asking('a'), name: 'n'.repeat(length) })
    for (const length of [9000, 9001, 9002, 9003, 9004])
      expect((await publish(ofLength(length))).status).toBe(200)
    expect((await publish(ofLength(40_000))).status).toBe(413)
    expect(await startedAt()).toMatchObject({ at: 'a' })
  })
})
