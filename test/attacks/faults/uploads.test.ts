import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startBuiltService } from '../../support/built-service.ts'

const flow = {
  version: '6.1',
  id: 'sample',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [{ id: 'g1', title: 'G', blocks: [{ id: 'b1', type: 'file input' }] }],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  variables: [],
  settings: {},
  theme: {},
}

const headers = { authorization: 'Bearer 4dmin' }

/** The service as a process of its own, which takes files for a flow. */
async function startService(variables: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'sample.json'), JSON.stringify(flow))
  const uploads = join(folder, 'uploads')
  const { address, stop } = await startBuiltService({
    FLOWS_DIR: folder,
    UPLOADS_DIR: uploads,
    ADMIN_TOKEN: '4dmin',
    LOG_LEVEL: 'info',
    ...variables,
  })
  const post = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return (await fetch(address + path, init)).json() as Promise<Record<string, string>>
  }
  const results = `${address}/v1/flows/sample/results`

  /** Starts a conversation and asks where its file may go. */
  async function askForAddress() {
    const { sessionId, resultId } = await post('/v1/flows/sample/startChat', {})
    const offer = await post('/v3/generate-upload-url', { sessionId, fileType: 'image/png' })
    return { resultId, fileUrl: String(offer['fileUrl']), presignedUrl: String(offer['presignedUrl']) }
  }

  async function upload() {
    const asked = await askForAddress()
    const { status } = await fetch(asked.presignedUrl, { method: 'PUT', body: 'picture' })
    expect(status).toBe(204)
    return asked
  }

  const filesIn = async () =>
    (await readdir(uploads, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method, headers })).status
  const resultsLeft = async () =>
    ((await (await fetch(results, { headers })).json()) as { results: unknown[] }).results
  return { address, stop, results, askForAddress, upload, filesIn, statusOf, resultsLeft }
}

describe('uploads of a running service', () => {
  it('go with the result that they belong to', async () => {
    const { stop, results, upload, statusOf } = await startService()
    const [first, second] = [await upload(), await upload()]
    expect(await (await fetch(first.fileUrl)).text()).toBe('picture')
    expect(await statusOf(`${results}/${first.resultId}`, 'DELETE')).toBe(204)
    expect(await statusOf(first.fileUrl)).toBe(404)
    expect(await statusOf(`${results}/${first.resultId}`, 'DELETE')).toBe(404)
    expect(await statusOf(second.fileUrl)).toBe(200)
    expect(await statusOf(`${results}?all=true`, 'DELETE')).toBe(200)
    expect(await statusOf(second.fileUrl)).toBe(404)
    expect(await stop()).toBe(0)
  })

  it('go when their time is up, as results do', async () => {
    const { stop, upload, statusOf, resultsLeft } = await startService({ RESULT_TTL_SECONDS: '2' })
    const { fileUrl } = await upload()
    const patience = { timeout: 60_000, interval: 200 }
    await vi.waitFor(async () => expect(await resultsLeft()).toEqual([]), patience)
    await vi.waitFor(async () => expect(await statusOf(fileUrl)).toBe(404), patience)
    expect(await stop()).toBe(0)
  })

  it('leave nothing half when the service ends before they do', async () => {
    const { address, stop, askForAddress, filesIn } = await startService()
    const { hostname, port } = new URL(address)
    for (let number = 0; number < 2; number++) {
      const { presignedUrl } = await askForAddress()
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
      const { pathname } = new URL(presignedUrl)
      socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf`)
    }
    await vi.waitFor(async () => expect(await filesIn()).toHaveLength(2), { timeout: 60_000 })
    expect(await stop()).toBe(0)
    expect(await filesIn()).toEqual([])
  })
})
