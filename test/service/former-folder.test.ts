import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { former, formerFlow } from '../fixtures/former-folder/former.ts'
import { type BuiltService, startBuiltService } from '../support/built-service.ts'

const fixture = join(import.meta.dirname, '../fixtures/former-folder')
const kept = JSON.parse(readFileSync(join(fixture, 'kept.json'), 'utf8'))

/** Starts this build on a copy of the folder that the build before wrote. */
async function openFormer() {
  const folder = mkdtempSync(join(tmpdir(), 'former-'))
  writeFileSync(join(folder, 'data.db'), gunzipSync(readFileSync(join(fixture, 'data.db.gz'))))
  const service = await startBuiltService({ DATA_DIR: folder, ADMIN_TOKEN: former.token })
  onTestFinished(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { send: senderTo(service) }
}

function senderTo({ address }: BuiltService) {
  return async (method: string, path: string, body?: object, key?: string) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${former.token}`,
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) }
  }
}

describe('a folder of the build before', () => {
  const path = `/v1/sessions/${kept.sessionId}/continueChat`
  const saying = (message: string) => ({ message, textBubbleContentFormat: 'markdown' })

  it('has its conversations, which go on, and the answers to requests that are repeated', async () => {
    const { send } = await openFormer()
    expect(await send('POST', path, saying(former.name), former.key)).toMatchObject({
      status: 200,
      text: kept.answer,
    })
    expect((await send('POST', path, saying('hello'))).body.messages).toMatchObject([
      { content: { markdown: 'Zoë says hello' } },
    ])
    expect((await send('GET', '/v1/flows/flow-1/results')).body.results[0].answers).toMatchObject([
      { content: 'Zoë' },
      { content: 'hello' },
    ])
  })

  it('has its results, and leaves erased what was erased', async () => {
    const { send } = await openFormer()
    expect((await send('GET', '/v1/flows/flow-1/results')).body.results).toMatchObject(kept.results)
    const erased = `/v1/sessions/${kept.erasedSessionId}/continueChat`
    expect((await send('POST', erased, saying('again'))).status).toBe(404)
  })

  it('has its flows with their versions and the audit, and takes another version', async () => {
    const { send } = await openFormer()
    const rowsOf = async () => (await send('GET', '/v1/audit')).body.rows
    const versionsOf = async () => (await send('GET', '/v1/flows/kept/versions')).body.versions
    expect(await rowsOf()).toEqual(kept.audit)
    expect((await versionsOf()).map(({ version }: { version: number }) => version)).toEqual([2, 1])
    expect((await send('PUT', '/v1/flows/kept', formerFlow('third'))).status).toBe(200)
    expect((await versionsOf())[0].version).toBe(3)
    expect(await rowsOf()).toHaveLength(kept.audit.length + 1)
    expect((await send('POST', path, saying('still'))).status).toBe(200)
  })
})
