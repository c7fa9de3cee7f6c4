import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'

const logger = JSON.stringify(join(import.meta.dirname, '../../src/lib/logger.ts'))

/** A process that logs at `info` and does nothing else than it is told. */
function start(code: string) {
  const whole = `import { createLogger } from ${logger}; const log = createLogger('info'); ${code}`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', whole], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

describe('the log', () => {
  it.each([
    ['that ends by itself', ''],
    ['that is ended', 'process.exit(0)'],
    ['that ends by a defect', 'throw new Error("broken")'],
    ['that ends by a rejection that nobody handles', 'Promise.reject(new Error("broken"))'],
  ])('has every line of a process %s, in order', async (_name, ending) => {
    const child = start(`for (let line = 0; line < 1000; line++) log.info({ line }, 'line'); ${ending}`)
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(lines.map((_, line) => line))
    expect(lines.length).toBe(1000)
  })

  it.each(['log.info', 'log.fatal'])(
    'that nobody reads any more does not keep a process from its end, by %s',
    async (say) => {
      const ending = `process.once('SIGTERM', () => { ${say}('last'); process.exit(3) })`
      const child = start(`${ending}; log.info('first'); setInterval(() => undefined, 1000)`)
      await once(child.stdout, 'data')
      child.stdout.destroy()
      child.kill()
      onTestFinished(() => void child.kill('SIGKILL'))
      expect(await once(child, 'exit')).toEqual([3, null])
    },
  )

  it('is written at once where that is asked for', async () => {
    const child = start("log.info('only'); log.flush(); process.kill(process.pid, 'SIGKILL')")
    const [line] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(JSON.parse(line)).toMatchObject({ msg: 'only' })
  })

  it('is written a moment later where the process goes on', async () => {
    const child = start("log.info('only'); setInterval(() => undefined, 1000)")
    const [line] = await once(child.stdout, 'data')
    child.kill('SIGKILL')
    expect(JSON.parse(String(line))).toMatchObject({ msg: 'only' })
  })
})
