import { afterAll } from 'vitest'
import { createCodeSandbox } from '../../src/adapters/code-sandbox/code-sandbox.ts'

/** The real sandbox, one for all tests of a file. */
export const sandbox = createCodeSandbox()

afterAll(() => sandbox.close())
