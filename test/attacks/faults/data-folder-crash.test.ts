import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubble, edge, group, leaving, textInput, variable } from '../../fixtures/short-flows.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { installedTool } from '../../support/installed-tool.ts'
import type { Json } from '../../support/json.ts'

/** Asks again and again, and says what it has heard. */
const echo = wholeDefinition({
  variables: [variable('Said')],
  groups: [group('g1', textInput('i1', 'vSaid'), leaving(bubble('b1', 'heard {{Said}}'), 'e1'))],
  edges: [edge('e1', 'g1')],
})

interface Turn {
  readonly sessionId: string
  readonly message: string
}

interface Answer {
  readonly status: number
  readonly body: Json
}

/** The folders that a service keeps from one process to the next. */
function makeFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'echo.json'), JSON.stringify(echo))
  return { FLOWS_DIR: folder, DATA_DIR: join(folder, 'data') }
}

async function startService(folders: ReturnType<typeof makeFolders>) {
  const service = await startBuiltService({ ...folders, ADMIN_TOKEN: 'operator' })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  async function send(path: string, body?: Json, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(service.address + path, {
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        authorization: 'Bearer operator',
        ...headers,
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    ...service,
    send,
    begin: async () => (await send('/v1/flows/echo/startChat', {})).body,
    /** The message is its key as well: each is sent once, or repeated. */
    say: ({ sessionId, message }: Turn) =>
      send(
        `/v1/sessions/${sessionId}/continueChat`,
        { message, textBubbleContentFormat: 'markdown' },
        { 'idempotency-key': `${sessionId}-${message}` },
      ),
    contents: async (resultId: string) => {
      const { body } = await send(`/v1/flows/flow-1/results/${resultId}`)
      return (body['answers'] as { content: string }[]).map(({ content }) => content)
    },
    async kill() {
      service.child.kill('SIGKILL')
      await service.ended
    },
  }
}

const heard = (message: string) => ({
  status: 200,
  body: { messages: [{ content: { markdown: `heard ${message}` } }], input: { id: 'i1' } },
})

const diskFailures = 'what a disk does that fails, or is yet to sync'

describe('a process that is killed in the middle of writing', () => {
  it('leaves every turn that it has answered, ten times over, and what is repeated is done once', {
    timeout: 600_000,
    // What is lost once is lost.
    retry: 0,
  }, async () => {
    const folders = makeFolders()
    let service = await startService(folders)
    const visitors = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { sessionId, resultId } = await service.begin()
        return { sessionId: String(sessionId), resultId: String(resultId), said: [] as string[] }
      }),
    )
    for (let kills = 1; kills <= 10; kills++) {
      const { say, kill } = service
      const left = visitors.map(async ({ sessionId, said }): Promise<Turn> => {
        for (;;) {
          const turn = { sessionId, message: `m${said.length}` }
          const answer = await say(turn).catch(() => undefined)
          if (!answer) return turn
          expect(answer).toMatchObject(heard(turn.message))
          said.push(turn.message)
        }
      })
      await new Promise((resolve) => setTimeout(resolve, 100 + 30 * kills))
      await kill()
      const unanswered = await Promise.all(left)
      service = await startService(folders)
      for (const [index, turn] of unanswered.entries()) {
        const { said, resultId } = visitors[index] as (typeof visitors)[number]
        // The last one may have been kept without an answer.
        const kept = await service.contents(resultId)
        expect(kept.slice(0, said.length)).toEqual(said)
        expect([said.length, said.length + 1]).toContain(kept.length)
        expect(await service.say(turn)).toMatchObject(heard(turn.message))
        said.push(turn.message)
        expect(await service.contents(resultId)).toEqual(said)
      }
    }
    expect(visitors.flatMap(({ said }) => said).length).toBeGreaterThan(12 * 10)
    expect(await service.stop()).toBe(0)
  })
})

describe('a data folder', () => {
  it('is refused to a second process at once, in words, and is free when the first was killed', {
    timeout: 600_000,
    // What is lost once is lost.
    retry: 0,
  }, async () => {
    const folders = makeFolders()
    const first = await startService(folders)
    await expect(startBuiltService(folders)).rejects.toThrow(/DATA_DIR is in use by another process/)
    await first.kill()
    const second = await startService(folders)
    expect((await second.begin())['sessionId']).toEqual(expect.any(String))
  })

  const strace = installedTool('strace', diskFailures)

  it.each(strace)('is synced before a turn is answered, as %s shows', async () => {
    const folders = makeFolders()
    const trace = join(folders.FLOWS_DIR, 'trace')
    const service = await startService(folders)
    const calledFor = ['-f', '-o', trace, '-y', '-e', 'trace=pwrite64,fdatasync,fsync,write,writev']
    const tracer = spawn('strace', [...calledFor, '-p', String(service.child.pid)])
    onTestFinished(() => void tracer.kill('SIGINT'))
    await once(tracer.stderr, 'data')
    const { sessionId } = await service.begin()
    expect((await service.say({ sessionId: String(sessionId), message: 'hello' })).status).toBe(200)
    const calls = readFileSync(trace, 'utf8').split('\n')
    const answer = calls.findIndex((call) => /write.*HTTP\/1\.1 200/.test(call))
    const written = calls.findIndex((call) => /pwrite64\(.*data\.db-wal/.test(call))
    const synced = calls.findIndex(
      (call, index) => index > written && /f(data)?sync\(.*data\.db-wal/.test(call),
    )
    expect([written, synced, answer].every((place) => place >= 0)).toBe(true)
    expect([written, synced, answer]).toEqual([written, synced, answer].sort((one, other) => one - other))
  })

  /** Makes a disk fail for a process, and returns what ends that. */
  type Failure = (pid: number) => Promise<() => Promise<void>>

  const limitFiles: Failure = async (pid) => {
    const limit = (size: string) => void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`])
    limit('4096')
    return async () => limit('unlimited')
  }

  const failCalls =
    (calls: string, error: string): Failure =>
    async (pid) => {
      const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`, '-o', '/dev/null']
      const child = spawn('strace', ['-f', '-p', String(pid), ...inject], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stderr, 'data')
      const ended = once(child, 'exit')
      return async () => {
        child.kill('SIGINT')
        await ended
      }
    }

  it.each([
    ...installedTool('prlimit', diskFailures).map(
      (tool) => ['takes no larger files', tool, limitFiles] as const,
    ),
    ...strace.flatMap((tool) => [
      ['is full', tool, failCalls('pwrite64', 'ENOSPC')] as const,
      ['cannot be written', tool, failCalls('pwrite64', 'EIO')] as const,
      ['cannot be synced', tool, failCalls('fdatasync,fsync', 'EIO')] as const,
    ]),
  ])(
    'that %s refuses turns, says so in /ready, and goes on where it was afterwards (%s)',
    { timeout: 600_000 },
    async (_problem, _tool, fail) => {
      const folders = makeFolders()
      const service = await startService(folders)
      const { sessionId, resultId } = await service.begin()
      const say = (message: string) => service.say({ sessionId: String(sessionId), message })
      expect(await say('one')).toMatchObject(heard('one'))
      const mend = await fail(service.child.pid as number)
      expect((await say('two')).status).toBe(503)
      expect((await service.send('/v1/flows/echo/startChat', {})).status).toBe(503)
      const { status, body } = await service.send('/ready')
      expect([status, body['message']]).toEqual([
        503,
        expect.stringContaining('Nothing can be kept in DATA_DIR'),
      ])
      await mend()
      expect((await service.send('/ready')).status).toBe(200)
      expect(await service.contents(String(resultId))).toEqual(['one'])
      expect(await say('two')).toMatchObject(heard('two'))
      await service.kill()
      const next = await startService(folders)
      expect(await next.contents(String(resultId))).toEqual(['one', 'two'])
    },
  )
})
