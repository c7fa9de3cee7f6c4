import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Every project of a run has an own instance of this module, and all take the same build. */
const run = globalThis as { isBuilt?: Promise<void> }

/**
 * Builds what the tests start as processes and threads: as its users run it, and loaded in a third of the time of the
 * sources. A wrong type does not keep tests from running.
 */
export function setup(): Promise<void> {
  run.isBuilt ??= build()
  return run.isBuilt
}

async function build(): Promise<void> {
  const printed = await Promise.all([
    execute(
      'typescript/bin/tsc',
      '-p',
      'tsconfig.json',
      '--incremental',
      '--tsBuildInfoFile',
      'dist/.tsbuildinfo',
    ),
    execute('vite/bin/vite.js', 'build', '--logLevel', 'warn'),
    execute('vite/bin/vite.js', 'build', 'pages', '--logLevel', 'warn'),
  ])
  process.stderr.write(printed.join(''))
}

/** What a program of a package prints. */
async function execute(program: string, ...args: readonly string[]): Promise<string> {
  const path = join(root, 'node_modules', program)
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { cwd: root }).catch(
    (error: { readonly stdout: string }) => error,
  )
  return stdout
}
