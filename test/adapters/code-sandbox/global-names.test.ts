import { expect, it, onTestFinished } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import { globals } from '../../../src/engine/javascript/interpreter/scope-frame.ts'

it('has the names that the interpreter knows, and no others', async () => {
  const sandbox = createCodeSandbox()
  onTestFinished(() => sandbox.close())
  const run = async (body: string) => {
    const job = { body, isAsync: true, globals: [], mayAssign: true, mayFetch: true }
    const result = await sandbox.run(job)
    return result.ok ? (result.value as string[]) : []
  }
  const names = [...globals.keys()]
  const kinds = await run(`return [${names.map((name) => `typeof ${name}`)}]`)
  expect(kinds).toEqual([...globals.values()].map(({ kind }) => kind))
  const there = await run('return Object.getOwnPropertyNames(globalThis)')
  const constants = ['undefined', 'NaN', 'Infinity']
  expect(there.filter((name) => !globals.has(name)).sort()).toEqual(constants.sort())
})
