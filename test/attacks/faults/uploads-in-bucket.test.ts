import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { notKept, startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { startGate } from '../../support/s3/gate.ts'
import { startS3rver, type TestBucket } from '../../support/s3/s3rver.ts'

const headers = { authorization: 'Bearer 4dmin', 'content-type': 'application/json', ...notKept }

async function variablesFor({ url, keyId, secretKey }: TestBucket) {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'sample.json'),
    JSON.stringify(wholeDefinition({ blocks: [{ id: 'i1', type: 'file input' }] })),
  )
  await writeFile(join(folder, 'key'), `${keyId}:${secretKey}\n`)
  return {
    FLOWS_DIR: folder,
    UPLOADS_S3_URL: url,
    UPLOADS_S3_KEY_FILE: join(folder, 'key'),
    ADMIN_TOKEN: '4dmin',
    PUBLIC_URL: 'http://flows.example',
  }
}

/** The service over a bucket that can be taken away. */
async function startService(more: Record<string, string> = {}, terms = '') {
  const gate = await startGate(await startS3rver())
  const variables = await variablesFor({ ...gate, url: gate.url + terms })
  const service = await startBuiltService({ ...variables, ...more })
  onTestFinished(async () => void (await service.stop()))
  const { address } = service
  const here = (url: string) => address + new URL(url).pathname
  const post = async (path: string, body: object) =>
    (await (
      await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()) as Record<string, string>
  async function offer(fileSize?: number) {
    const { sessionId, resultId } = await post('/v1/flows/sample/startChat', {})
    const asked = { sessionId, fileType: 'image/png', ...(fileSize !== undefined && { fileSize }) }
    const { presignedUrl = '', fileUrl = '' } = await post('/v3/generate-upload-url', asked)
    return { presignedUrl, fileUrl: here(fileUrl), result: `${address}/v1/flows/sample/results/${resultId}` }
  }
  const statusOf = async (url: string, init: RequestInit = {}) =>
    (await fetch(url, { headers, ...init })).status
  const put = (presignedUrl: string, body: string) => statusOf(here(presignedUrl), { method: 'PUT', body })
  return { gate, service, here, offer, put, statusOf }
}

describe('a service with a bucket', () => {
  it('keeps files there, gives them out in parts, and erases them', async () => {
    const { offer, put, statusOf } = await startService()
    const { presignedUrl, fileUrl, result } = await offer()
    expect(await put(presignedUrl, 'picture')).toBe(204)
    expect(await put(presignedUrl, 'another')).toBe(409)
    expect(await (await fetch(fileUrl)).text()).toBe('picture')
    const part = await fetch(fileUrl, { headers: { range: 'bytes=1-3' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 1-3/7',
      'ict',
    ])
    expect((await fetch(fileUrl, { method: 'HEAD' })).headers.get('content-length')).toBe('7')
    expect(await statusOf(result, { method: 'DELETE' })).toBe(204)
    expect(await statusOf(fileUrl)).toBe(404)
  })

  it('is not ready without it, refuses files, and erases nothing in part', async () => {
    const { gate, service, offer, put, statusOf } = await startService()
    const kept = await offer()
    expect(await put(kept.presignedUrl, 'picture')).toBe(204)
    const later = await offer()
    gate.decide = () => ({ status: 500 })
    expect(await put(later.presignedUrl, 'picture')).toBe(503)
    expect(await statusOf(kept.fileUrl)).toBe(503)
    expect(await statusOf(kept.result, { method: 'DELETE' })).toBe(503)
    const ready = () => fetch(`${service.address}/ready`)
    await vi.waitFor(async () => expect(await (await ready()).text()).toContain('No uploads can be kept'), {
      timeout: 60_000,
    })
    expect(service.output()).toContain('The bucket of UPLOADS_S3_URL: HEAD was answered 500')
    gate.decide = () => undefined
    expect(await statusOf(kept.result)).toBe(200)
    expect(await put(later.presignedUrl, 'picture')).toBe(204)
    expect(await statusOf(kept.result, { method: 'DELETE' })).toBe(204)
    expect(await statusOf(kept.fileUrl)).toBe(404)
    await vi.waitFor(async () => expect((await ready()).status).toBe(200), { timeout: 60_000 })
  })

  it('waits for a silent one for some time, and serves all others meanwhile', async () => {
    const { gate, service, offer, put, statusOf } = await startService()
    const { presignedUrl, fileUrl } = await offer()
    gate.decide = (method) => (method === 'PUT' ? 'silence' : undefined)
    const waiting = put(presignedUrl, 'picture')
    expect(await statusOf(`${service.address}/health`)).toBe(200)
    expect(await waiting).toBe(503)
    expect(await statusOf(fileUrl)).toBe(404)
  })

  it('leaves nothing of an upload that breaks off', async () => {
    const { gate, service, here, offer } = await startService()
    const { presignedUrl } = await offer()
    const { hostname, port, pathname } = new URL(here(presignedUrl))
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf`)
    await vi.waitFor(
      () => expect(gate.asked.filter((line) => line.includes('list-')).length).toBeGreaterThan(0),
      {
        timeout: 60_000,
      },
    )
    socket.destroy()
    expect(await service.stop()).toBe(0)
    expect(gate.asked.filter((line) => line.startsWith('PUT') && !line.includes('probe-'))).toEqual([])
  })

  it('has clients send files there themselves, where that is wanted', async () => {
    const { gate, service, offer } = await startService({ PAGES: 'visitor' }, '?direct=on')
    const { presignedUrl, fileUrl } = await offer(7)
    expect(presignedUrl.startsWith(gate.url)).toBe(true)
    const init = { method: 'PUT', body: 'picture', headers: { 'content-type': 'image/png' } }
    expect((await fetch(presignedUrl, init)).status).toBe(200)
    expect(await (await fetch(fileUrl)).text()).toBe('picture')
    expect((await offer()).presignedUrl).toMatch(/^http:\/\/flows\.example\/uploads\//)
    const page = await fetch(`${service.address}/f/sample`)
    expect(page.headers.get('content-security-policy')).toContain(
      `connect-src 'self' ${new URL(gate.url).origin};`,
    )
  })

  it('does not begin with a bucket that refuses it, and says why', async () => {
    const gate = await startGate(await startS3rver())
    gate.decide = () => ({ status: 403 })
    const begun = startBuiltService(await variablesFor(gate))
    await expect(begun).rejects.toThrow('Check UPLOADS_S3_KEY and the region')
  })
})
