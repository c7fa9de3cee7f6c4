import { createCodeSandbox } from '../../src/adapters/code-sandbox/code-sandbox.ts'

/** The real sandbox, shared by the test files of a worker. Its threads never keep a process alive, so no test closes it. */
export const sandbox = createCodeSandbox()
