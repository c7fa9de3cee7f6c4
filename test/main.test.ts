import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from './support/built-service.ts'

const root = join(import.meta.dirname, '..')

function run(variables: Record<string, string>, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['dist/bin/flow-runtime.js', ...args], {
    cwd: root,
    // Busy machines are not what these tests are about.
    env: { PATH: process.env['PATH'], MAX_EVENT_LOOP_DELAY_MS: '60000', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function finish(child: ChildProcess) {
  const [[code], out, err] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout!),
    text(child.stderr!),
  ])
  return { code, out, err }
}

/** What the service is given to serve. */
const sampleFlow = {
  version: '6.1',
  id: 'sample',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [{ id: 'g1', title: 'G', blocks: [{ id: 'b1', type: 'text input' }] }],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  variables: [],
  settings: {},
  theme: {},
}

/** Starts the service on any free port, with one flow published as `welcome`. */
async function startService(variables: Record<string, string> = {}) {
  const flows = mkdtempSync(join(tmpdir(), 'flows-'))
  onTestFinished(() => rmSync(flows, { recursive: true }))
  writeFileSync(join(flows, 'welcome.json'), JSON.stringify(sampleFlow))
  const lines: Record<string, unknown>[] = []
  const onLine = (line: string) => void lines.push(JSON.parse(line))
  const { child, address } = await startBuiltService({ FLOWS_DIR: flows, ...variables }, { onLine })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines, port: Number(new URL(address).port) }
}

async function post(port: number, path: string, body: object, agent?: Agent) {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(agent && { agent }),
  })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: JSON.parse(await text(response)) }
}

describe('the process', () => {
  it('prints its version, and starts nothing', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(await finish(run({ PORT: 'x' }, '--version'))).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('prints every variable and ends', async () => {
    const { code, out } = await finish(run({}, '--help'))
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: /)
    expect(out).toContain('PREVIEW_TOKEN')
  })

  it('ends in silence when nobody reads on what it prints', async () => {
    const child = run({}, 'lint', 'flows', '--format', 'sarif')
    child.stdout!.destroy()
    const [[code], err] = await Promise.all([once(child, 'exit'), text(child.stderr!)])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('ends with 2 for a command that it does not know, and starts nothing', async () => {
    const { code, out, err } = await finish(run({}, 'sevre'))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('"sevre"')
  })

  it('does not start with a wrong configuration, and says all that is wrong', async () => {
    const { code, out, err } = await finish(run({ PORT: 'x', LOG_LEVEL: 'loud', PREVIEW_TOKEN: 'my secret' }))
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err.match(/^[A-Z_]+ must be/gm)).toEqual([
      'PORT must be',
      'LOG_LEVEL must be',
      'PREVIEW_TOKEN must be',
    ])
    expect(err).not.toContain('my secret')
  })

  it('says what is wrong with destinations and accounts in the same way, whatever is logged', async () => {
    const { code, out, err } = await finish(
      run({
        LOG_LEVEL: 'silent',
        OUTBOUND_ALLOW: 'me:s3cret@shop.example',
        CREDENTIALS_FILE: '/no/such/file',
        SMTP_URL: 'smtp://u:s3cret@mail.example',
      }),
    )
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err.split('\n')).toEqual([
      'The configuration is not valid:',
      'OUTBOUND_ALLOW: entry 1 is neither a host, an address nor a range of addresses',
      'CREDENTIALS_FILE cannot be read (ENOENT)',
      'SMTP_URL needs ?from=Name%20%3Caddress%40host%3E, the sender of its mails',
      'See --help for all variables.',
      '',
    ])
  })

  it('does not start on a port that is taken', async () => {
    const { port } = await startService()
    const { code, out } = await finish(run({ PORT: String(port) }, 'serve'))
    expect(code).toBe(1)
    expect(out).toContain('EADDRINUSE')
  })

  it('does not wait for flows where nobody named a folder, and names the way to some', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'no-flows-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    const child = spawn(process.execPath, [join(root, 'dist/bin/flow-runtime.js'), 'serve'], {
      cwd,
      env: { PATH: process.env['PATH'] },
    })
    const { code, err } = await finish(child)
    expect(code).toBe(1)
    expect(err).toContain('There is no folder ./flows: flow-runtime init makes one with a first flow')
  })

  it('serves the flows of its folder, and ends in peace on a signal', async () => {
    const { child, port, lines } = await startService({ HOST: '0.0.0.0' })
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const started = await post(port, '/v1/flows/welcome/startChat', {}, agent)
    expect(started).toMatchObject({
      status: 200,
      body: { flow: { id: 'sample' }, messages: [], input: { id: 'b1', type: 'text input' } },
    })
    const preview = await post(
      port,
      '/v1/flows/x/preview/startChat',
      { flow: sampleFlow, sessionId: 'p1' },
      agent,
    )
    expect(preview).toMatchObject({ status: 200, body: { sessionId: 'p1' } })
    expect(lines.find(({ level }) => level === 40)?.['msg']).toContain('PREVIEW_TOKEN')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('answers what it accepted before it ends', async () => {
    const { child, port, lines } = await startService()
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/v1/flows/welcome/startChat',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '2', expect: '100-continue' },
    })
    sent.flushHeaders()
    // Asked to go on, the service has accepted the request; its answer still waits for the body.
    await once(sent, 'continue')
    child.kill('SIGTERM')
    while (!lines.some(({ msg }) => msg === 'closing'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    sent.end('{}')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    expect(response.headers.connection).toBe('close')
    expect(JSON.parse(await text(response))).toMatchObject({ flow: { id: 'sample' } })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
