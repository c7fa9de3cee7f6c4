import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const module = join(import.meta.dirname, '../../src/cli/input/stall-guard.ts')

/** Runs code beside a guard that waits for half a second. */
async function run(code: string) {
  const source = `import { guardAgainstStalls } from ${JSON.stringify(module)}
    const workingOn = guardAgainstStalls(500)
    ${code}`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source])
  const said = text(child.stderr)
  const [exit, signal] = await once(child, 'close')
  return { exit, signal, said: await said }
}

it('a command that goes on for ever is ended, and says what it worked on', async () => {
  const { signal, said } = await run(
    "workingOn('a.json'); workingOn('b.json'); setImmediate(() => { for (;;); })",
  )
  expect([signal, said]).toEqual(['SIGTERM', 'b.json takes too long: nothing was done for 0.5 seconds\n'])
})

it('a command that pauses, or goes on to the next file, is left alone, and its end is not waited for', async () => {
  const pausing =
    "workingOn('a.json'); for (let n = 0; n < 12; n++) await new Promise((resolve) => setTimeout(resolve, 100))"
  expect(await run(pausing)).toMatchObject({ exit: 0, said: '' })
})
