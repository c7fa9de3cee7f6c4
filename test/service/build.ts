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
  const [types] = await Promise.all([
    execute('typescript/bin/tsc', '-p tsconfig.json --incremental --tsBuildInfoFile dist/.tsbuildinfo').catch(
      (wrong: { readonly stdout: string }) => wrong,
    ),
    execute('typescript/bin/tsc', '-p pages/embed'),
    execute('typescript/bin/tsc', '-p src/own-blocks/kit'),
    execute('vite/bin/vite.js', 'build --logLevel warn'),
    execute('vite/bin/vite.js', 'build pages --logLevel warn'),
  ])
  process.stderr.write(types.stdout)
}

/** Runs a program of a package. Rejects with what it printed when it fails. */
function execute(program: string, args: string): Promise<{ readonly stdout: string }> {
  const path = join(root, 'node_modules', program)
  // Pages that are built for tests have more in them than those of users.
  const env = { ...process.env, NODE_ENV: 'production' }
  return promisify(execFile)(process.execPath, [path, ...args.split(' ')], { cwd: root, env })
}
