import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from '../support/built-service.ts'
import { wholeDefinition } from '../support/conformance.ts'

const built = (path: string) => pathToFileURL(join(import.meta.dirname, '../../dist/src', path)).href

/** A program that is watched as the service is, and that then does something for ever. */
const program = (stalling: string) => `
  import { startWatchdog } from '${built('adapters/system/process-watchdog.js')}'
  startWatchdog({ seconds: 2, report: ({ message, stack }) => console.log(JSON.stringify({ message, stack })) })
  function stall() { ${stalling} }
  setTimeout(stall, 200)
  setInterval(() => {}, 1_000)
`

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

function run(source: string, args: readonly string[] = []): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [...args, '--input-type=module', '--eval', source])
  onTestFinished(() => void child.kill('SIGKILL'))
  const written: Buffer[] = []
  child.stdout.on('data', (chunk) => written.push(chunk))
  const ended = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    output: Buffer.concat(written).toString(),
  }))
  return { child, ended }
}

const stalls = {
  'a loop': 'for (;;) {}',
  'an expression that never matches': "/^(a+)+$/.test('a'.repeat(60) + 'b')",
  'a function of the engine that calls nothing':
    'let a = []; for (let level = 0; level < 30; level++) a = [a, a, a, a]; JSON.stringify(a)',
  'a wait of the thread': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
}

describe('a process whose event loop stands still', () => {
  it.each(Object.entries(stalls))('by %s ends with its own code, and says where', async (_what, source) => {
    const { ended } = run(program(source))
    const { code, output } = await ended
    expect(code).toBe(70)
    const { message, stack } = JSON.parse(output)
    expect(message).toBe('The event loop stood still for 2 s')
    expect(stack).toContain('stall')
  })

  it('goes on while a debugger holds it', async () => {
    const { child, ended } = run(
      program(
        `setTimeout(() => process.exit(3), 5_000); const end = Date.now() + 4_500; while (Date.now() < end);`,
      ),
      ['--inspect=127.0.0.1:0'],
    )
    child.stderr?.resume()
    expect((await ended).code).toBe(3)
  })
})

it('goes on as long as the event loop does, also when all of the process was stopped meanwhile', async () => {
  const { child, ended } = run(program('setTimeout(() => process.exit(3), 6_000)'))
  await delay(1_000)
  child.kill('SIGSTOP')
  await delay(4_000)
  child.kill('SIGCONT')
  expect((await ended).code).toBe(3)
})

/** Preloaded into the service: the next number that chance gives never comes. */
const stallChance = 'data:text/javascript,process.on("SIGWINCH",()=>{Math.random=()=>{for(;;);}})'

it('names the turn that stands still, its flow and its block', async () => {
  const args = ['--import', stallChance, 'dist/bin/flow-runtime.js']
  const service = await startBuiltService({ WATCHDOG_SECONDS: '2' }, { args })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const flow = wholeDefinition({
    id: 'by-chance',
    blocks: [
      {
        id: 'draw',
        type: 'AB test',
        items: [
          { id: 'a', path: 'a' },
          { id: 'b', path: 'b' },
        ],
      },
    ],
  })
  service.signal('SIGWINCH')
  await delay(200)
  const answer = fetch(`${service.address}/v1/flows/any/preview/startChat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ flow }),
  })
  await expect(answer).rejects.toThrow()
  expect(await service.ended).toBe(70)
  const last =
    service
      .output()
      .trimEnd()
      .split('\n')
      .find((line) => line.includes('stands still')) ?? ''
  expect(JSON.parse(last)).toMatchObject({
    level: 60,
    work: 'start of a preview session',
    flow: 'by-chance',
    block: 'draw',
    err: { message: 'The event loop stood still for 2 s' },
  })
})
