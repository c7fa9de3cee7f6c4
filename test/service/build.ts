import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/**
 * Builds what the tests start as processes and threads: as its users run it, and loaded in a third of the time of the
 * sources. A wrong type does not keep tests from running.
 */
export async function setup(): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo']
  const pages = promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'pages', '--logLevel', 'warn'],
    { cwd: root },
  )
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root }).catch(
    (error: { readonly stdout: string }) => error,
  )
  process.stderr.write(stdout)
  await pages
}
