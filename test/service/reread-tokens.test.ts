import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { notKept, startBuiltService } from '../support/built-service.ts'

it('a process reads the tokens of operators again when it is told to, and keeps them over a mistake', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'tokens')
  writeFileSync(file, 'ann=0ld-t0ken-of-ann\nbi:read-only=t0ken-of-bi\n')
  const service = await startBuiltService({ ADMIN_TOKENS_FILE: file, DATA_DIR: join(folder, 'data') })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const statusOf = async (token: string, method = 'GET', path = '/v1/flows') => {
    const headers = { authorization: `Bearer ${token}`, ...notKept }
    return (await fetch(service.address + path, { method, headers })).status
  }
  const reread = async (text: string, line: RegExp) => {
    writeFileSync(file, text)
    service.signal('SIGHUP')
    await expect.poll(() => service.output()).toMatch(line)
  }
  expect(await statusOf('0ld-t0ken-of-ann')).toBe(200)
  expect(await statusOf('t0ken-of-bi')).toBe(200)
  expect(await statusOf('t0ken-of-bi', 'DELETE', '/v1/flows/lead-form/results?all=true')).toBe(403)

  await reread(
    'ann-2027=n3w-t0ken-of-ann',
    /"tokens":\["ann-2027"\],"msg":"the tokens of operators were read/,
  )
  expect(await statusOf('n3w-t0ken-of-ann')).toBe(200)
  expect(await statusOf('0ld-t0ken-of-ann')).toBe(401)
  expect(await statusOf('t0ken-of-bi')).toBe(401)

  await reread('no token', /entry 1 is not name=token.*"msg":"the tokens of operators stay as they were/)
  expect(await statusOf('n3w-t0ken-of-ann')).toBe(200)
  expect(service.output()).not.toMatch(/t0ken-of/)
  expect(await service.stop()).toBe(0)
})
