import { createCodeSandbox } from '../../src/adapters/code-sandbox/code-sandbox.ts'

/**
 * The real sandbox, shared by the test files of a worker. Its threads never keep a process alive, so no test closes it. On a
 * loaded machine a thread may be left without a processor for a second, which is not what its tests are about.
 */
export const sandbox = createCodeSandbox({ limitMs: 5000, maxWaitMs: 60_000 })
