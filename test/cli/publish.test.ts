import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asking, flawed, openService } from '../publication/open-publishing-service.ts'
import { callCommandLine } from '../support/call-command-line.ts'

/** A folder of these files; texts as they are, everything else as JSON. */
function folderOf(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

const call = (env: Record<string, string>, ...args: string[]) => callCommandLine(['publish', ...args], env)

/** A service to publish by, and how to reach it. */
async function open() {
  const service = await openService()
  const env = { FLOW_RUNTIME_URL: await service.listen(), ADMIN_TOKEN: '4nn' }
  return { ...service, env }
}

describe('flow-runtime publish', () => {
  it('publishes every flow of a folder, and leaves alone what is served already', async () => {
    const { env, startedAt, ask } = await open()
    const folder = folderOf({
      'one.json': asking('a'),
      'two.json': { ...asking('b'), publicId: 'shop' },
      'notes.txt': 'not a flow',
    })
    expect(await call(env, folder)).toMatchObject({
      code: 0,
      out: 'one.json: published as version 1 of one\ntwo.json: published as version 1 of shop\n',
    })
    expect([await startedAt('one'), await startedAt('shop')]).toMatchObject([{ at: 'a' }, { at: 'b' }])
    writeFileSync(join(folder, 'one.json'), JSON.stringify(asking('c')))
    const again = await call({ ...env, FLOW_RUNTIME_URL: '' }, folder, '--url', `${env.FLOW_RUNTIME_URL}/`)
    expect(again.out).toBe(
      'one.json: published as version 2 of one\ntwo.json: is served already, version 1 of shop\n',
    )
    const { body } = await ask('GET', '/audit')
    expect(body.rows).toHaveLength(3)
    expect(body.rows[0]).toMatchObject({ actor: 'ann', subject: 'one' })
  })

  it('fails for a flow with errors, names their places, and publishes the others', async () => {
    const { env, startedAt } = await open()
    const folder = folderOf({ 'bad.json': flawed, 'good.json': asking('a') })
    const column = JSON.stringify(flawed).indexOf('"nowhere"') + 1
    const { code, out, err } = await call(env, folder)
    expect({ code, out }).toEqual({ code: 1, out: 'good.json: published as version 1 of good\n' })
    expect(err).toMatch(/^bad\.json: refused with 400: The flow has the errors listed/)
    expect(err).toContain(`bad.json:1:${column} at /edges/1/to/groupId: `)
    expect(await startedAt('bad')).toEqual({ status: 404 })
    const forced = await call(env, '--force', folder)
    expect(forced).toMatchObject({ code: 0, out: expect.stringContaining('version 1 of bad') })
    expect(forced.err).toContain(`bad.json:1:${column} error at /edges/1/to/groupId: `)
  })

  it('names no place within a definition that is wrong as a whole', async () => {
    const { env } = await open()
    const { err } = await call(env, folderOf({ 'bad.json': { groups: [] } }))
    expect(err).toContain("bad.json:1:1: must have required property 'id'")
  })

  it('fails for files that can not be sent, and publishes the others', async () => {
    const { env } = await open()
    const folder = folderOf({
      'a.json': { ...asking('a'), publicId: 'same' },
      'b.json': { ...asking('b'), publicId: 'same' },
      'c.json': '{"id":',
    })
    const { code, out, err } = await call(env, folder)
    expect({ code, out }).toEqual({ code: 1, out: 'a.json: published as version 1 of same\n' })
    expect(err).toContain('b.json: has the public id of a.json, "same"\n')
    expect(err).toContain('c.json:1:7 is not valid JSON')
  })

  it('publishes a flow in YAML as its JSON, and names its lines', async () => {
    const { env, startedAt } = await open()
    const folder = folderOf({
      'table.flow.yaml': 'flow: t\ngroups:\n  A:\n    - ask: Name?\n      as: text\n      id: a\n',
      'table.json': asking('b'),
      'shop.flow.yaml':
        'flow: s\npublicId: store\ngroups:\n  A:\n    - type: text\n      content: { markdown: Hi }\n      outgoingEdgeId: gone\n',
      'broken.flow.yaml': 'flow: s\ngroups:\n  A: Hi\n',
    })
    const { code, out, err } = await call(env, folder)
    expect({ code, out }).toEqual({ code: 1, out: 'table.flow.yaml: published as version 1 of table\n' })
    expect(err).toContain('table.json: has the public id of table.flow.yaml, "table"\n')
    expect(err).toContain('broken.flow.yaml:3:6 the steps of a group are a list, and not "Hi"\n')
    expect(err).toContain('shop.flow.yaml:7:23 at /groups/0/blocks/0/outgoingEdgeId: ')
    expect(await startedAt('table')).toMatchObject({ at: 'a' })
  })

  it('sends nothing more once the token was refused', async () => {
    const { env, startedAt } = await open()
    const folder = folderOf({ 'a.json': asking('a'), 'b.json': asking('b') })
    const { code, out, err } = await call({ ...env, ADMIN_TOKEN: 's3cret' }, folder)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.match(/refused with 401/g)).toHaveLength(1)
    expect(err).not.toContain('s3cret')
    expect(await startedAt('b')).toEqual({ status: 404 })
  })

  it('fails where no service answers, and where the answer is not one of its own', async () => {
    const folder = folderOf({ 'a.json': asking('a'), 'b.json': asking('b') })
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
    await new Promise((resolve) => gone.close(resolve))
    const away = await call({ FLOW_RUNTIME_URL: address, ADMIN_TOKEN: 'x' }, folder)
    expect(away).toEqual({
      code: 1,
      out: '',
      err: `a.json: ${address} does not answer (ECONNREFUSED)\n`,
    })
    const server = createServer((_request, response) => response.end('<html>'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const other = await call({ ADMIN_TOKEN: 'x' }, folder, '--url', url)
    expect(other.code).toBe(1)
    expect(other.err).toContain('a.json: refused with 200: the answer is not that of this service')
  })

  it('follows no redirection, which would take the token elsewhere', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect((await call({ ADMIN_TOKEN: 'x' }, folderOf({ 'a.json': asking('a') }), '--url', url)).code).toBe(1)
    expect(seen).toEqual(['/v1/flows/a'])
  })

  it.each([
    [[], 'one folder'],
    [['a', 'b'], 'one folder'],
    [['a', '--url', 'shop'], '--url'],
    [['a', '--loud'], '--loud'],
  ])('knows no call like %j', async (args, complaint) => {
    const { code, out, err } = await call({ ADMIN_TOKEN: 'x' }, ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(complaint)
  })

  it('asks for a token, and for flows', async () => {
    expect(await call({}, 'flows')).toMatchObject({ code: 2, err: expect.stringContaining('ADMIN_TOKEN') })
    const env = { ADMIN_TOKEN: 'x' }
    expect(await call(env, '/no/such/folder')).toMatchObject({
      code: 1,
      err: '/no/such/folder does not exist\n',
    })
    expect((await call(env, folderOf({ 'a.txt': '' }))).err).toContain('has no *.json')
  })
})

describe('an answer of something else than a service', () => {
  it.each([
    ['findings that are no list', 200, { version: 1, isChanged: true, findings: 5 }, 0],
    ['findings that are none', 200, { version: 1, isChanged: true, findings: [null, 5] }, 0],
    ['errors that are no list', 400, { message: 'no', errors: 5 }, 1],
    ['errors that are none', 400, { message: { no: 1 }, errors: [null, 'a'] }, 1],
    ['a list', 200, [], 1],
  ])('with %s ends publish with a message', async (_, status, body, expected) => {
    const server = createServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify(body))
    }).listen(0)
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { FLOW_RUNTIME_URL: url, ADMIN_TOKEN: '4nn' }
    const { code, out, err } = await call(env, folderOf({ 'one.json': asking('a') }))
    expect([code, out + err]).toEqual([expected, expect.stringContaining('one.json: ')])
  })
})
