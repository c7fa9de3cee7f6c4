import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from '../support/built-service.ts'
import { freePort } from '../support/free-port.ts'
import { installedTool } from '../support/installed-tool.ts'
import type { Json } from '../support/json.ts'
import { httpAnswer, startRawHttpServer } from '../support/raw-http-server.ts'

const example = readFileSync(join(import.meta.dirname, '../../examples/nginx-side-by-side.conf'), 'utf8')

/** The example, with addresses of this machine, and all that nginx writes in a folder. */
async function startNginx(service: string, viewer: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'side-by-side-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  const text = example
    .replace('worker_processes auto;', `daemon off; pid ${folder}/pid; worker_processes 1;`)
    .replace('http {', `http { access_log off; ${paths}`)
    .replace('flows:3000', service)
    .replace('old-viewer:3000', viewer)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  writeFileSync(join(folder, 'nginx.conf'), text)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', '/dev/null'])
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
    rmSync(folder, { recursive: true })
  })
  const address = `http://127.0.0.1:${port}`
  await expect.poll(() => fetch(`${address}/health`).catch(() => undefined)).toMatchObject({ status: 200 })
  return address
}

const hostOf = (url: string) => new URL(url).host

describe.each(installedTool('nginx', 'this service beside the viewer that it takes over from'))(
  'beside the old viewer, behind %s',
  () => {
    it('what has moved is served here, and everything else there, as it was sent', async () => {
      const viewer = await startRawHttpServer(({ method, target, headers, body }) =>
        httpAnswer(200, JSON.stringify({ old: [method, target, headers.get('authorization') ?? '', body] }), {
          'content-type': 'application/json',
        }),
      )
      const service = await startBuiltService({ COMPAT_API: 'on', ADMIN_TOKEN: 'adm1n' })
      onTestFinished(async () => void (await service.stop()))
      const address = await startNginx(hostOf(service.address), hostOf(viewer.url))
      const ask = async (path: string, body: object, headers: Record<string, string> = {}) => {
        const init = { method: 'POST', body: JSON.stringify(body) }
        const json = { 'content-type': 'application/json', ...headers }
        const response = await fetch(address + path, { ...init, headers: json })
        return { status: response.status, body: (await response.json()) as Json }
      }
      const gone = (path: string, body: object, token = '') => ({
        status: 200,
        body: { old: ['POST', path, token, JSON.stringify(body)] },
      })

      const start = '/api/v1/typebots/lead-form/startChat'
      const { body: started } = await ask(start, {})
      expect(started).toMatchObject({ typebot: { id: expect.any(String) }, input: { type: 'text input' } })
      const next = await ask(`/api/v1/sessions/${started['sessionId']}/continueChat`, { message: 'Ada' })
      expect(next).toMatchObject({ status: 200, body: { input: { type: 'choice input' } } })

      const stayed = '/api/v1/typebots/stayed/startChat'
      expect(await ask(stayed, { a: 1 })).toEqual(gone(stayed, { a: 1 }))
      const theirs = '/api/v1/sessions/begun-there/continueChat'
      expect(await ask(theirs, { message: 'Ada' })).toEqual(gone(theirs, { message: 'Ada' }))
      const older = { sessionId: 'begun-there', message: 'Ada' }
      expect(await ask('/api/v1/sendMessage', older)).toEqual(gone('/api/v1/sendMessage', older))
      const webhook = '/api/v1/typebots/stayed/blocks/b/results/r/executeWebhook'
      const token = 'Bearer of-the-old-one'
      expect(await ask(webhook, { paid: 1 }, { authorization: token })).toEqual(
        gone(webhook, { paid: 1 }, token),
      )
      expect(await (await fetch(`${address}/stayed`)).json()).toEqual({ old: ['GET', '/stayed', '', ''] })
      // A refusal is no reason to ask elsewhere.
      expect((await ask(start, { message: 7 })).status).toBe(400)
    })
  },
)
