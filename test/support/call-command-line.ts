import { runCommandLine } from '../../src/cli/run-command-line.ts'

/** Calls `flow-runtime`: its exit code, and what it prints. */
export async function callCommandLine(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const texts = { out: '', err: '' }
  const code = await runCommandLine(args, {
    env,
    print: (text) => {
      texts.out += text
    },
    warn: (text) => {
      texts.err += text
    },
  })
  return { code, ...texts }
}
