import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../lib/package-root.ts'
import { versionText } from '../lib/version-text.ts'
import { type Console, exitCodes, type Run, UsageError } from './command.ts'

const require = createRequire(import.meta.url)

const template = join(packageRoot, 'template')

/** Packing takes a file of this name for its own. */
const renamed: Readonly<Record<string, string>> = { gitignore: '.gitignore' }

/** Text of `init --help`. */
export const help = (): string => `Usage: flow-runtime init [--no-install] [FOLDER]

Makes a folder (default .) with a first flow, its tests, a workflow that checks both, settings of the editor, and a
package.json by which npx flow-runtime is this version there; installs that. A file that is there stays as it is.

  --no-install  leave the installation to npm install

Exits with 0 when all is there, 1 when the installation failed.
`

/** Makes a folder of flows: 0 when all is there, 1 when npm could not install the package. */
export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'no-install': { type: 'boolean' } },
  })
  const [named = '.', ...more] = positionals
  if (more.length > 0)
    throw new UsageError(`init makes one folder, and ${JSON.stringify(more[0])} is another`)
  const folder = resolve(named)
  const files = await readTemplate()
  files.set('package.json', packageFile(folder))
  const written = new Set<string>()
  for (const [path, text] of files) {
    if (await writeNew(join(folder, path), text)) written.add(path)
    console.print(`${written.has(path) ? 'made' : 'kept'}  ${join(named, path)}\n`)
  }
  const isOwn = written.has('package.json')
  const isInstalled = isOwn && !values['no-install'] && (await install(folder, console))
  console.print(`\nNext:\n\n${nextSteps(named, { isOwn, isInstalled }, packageSpec())}`)
  return isOwn && !values['no-install'] && !isInstalled ? exitCodes.failed : exitCodes.fine
}

function nextSteps(
  named: string,
  { isOwn, isInstalled }: { readonly isOwn: boolean; readonly isInstalled: boolean },
  spec: string,
): string {
  const steps = [
    ...(resolve(named) === process.cwd() ? [] : [`cd ${named}`]),
    ...(isInstalled ? [] : [isOwn ? 'npm install' : `npm install --save-dev flow-runtime@${spec}`]),
    'npx flow-runtime test',
    'npx flow-runtime dev',
  ]
  return steps.map((step) => `  ${step}\n`).join('')
}

async function readTemplate(): Promise<Map<string, string>> {
  const entries = await readdir(template, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const named = files.sort().map(async (file) => {
    const path = relative(template, file)
    return [renamed[path] ?? path, await readFile(file, 'utf8')] as const
  })
  return new Map(await Promise.all(named))
}

function packageFile(folder: string): string {
  const content = {
    name:
      basename(folder)
        .toLowerCase()
        .replace(/[^a-z0-9-]+/g, '-')
        .replace(/^-+|-+$/g, '') || 'flows',
    private: true,
    // Own blocks are modules: Node warns where that is not said.
    type: 'module',
    scripts: { dev: 'flow-runtime dev', test: 'flow-runtime lint && flow-runtime test' },
    devDependencies: { 'flow-runtime': packageSpec() },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** The way npm finds this version again: by its number, or where this package was installed from a file or a checkout. */
function packageSpec(): string {
  const modules = dirname(packageRoot)
  if (basename(modules) !== 'node_modules') return `file:${packageRoot}`
  const version = `^${versionText().trim()}`
  const resolved = placeInLock(join(modules, '.package-lock.json'))
  // Written from the folder above the modules.
  return resolved.startsWith('file:')
    ? `file:${resolve(modules, '..', resolved.slice('file:'.length))}`
    : version
}

/** Where npm found this package, by the lock that it leaves among the modules; empty where other tools installed it. */
function placeInLock(path: string): string {
  if (!existsSync(path)) return ''
  const { packages } = require(path) as { packages: Record<string, { readonly resolved?: string }> }
  return packages['node_modules/flow-runtime']?.resolved ?? ''
}

/** Whether it was not there yet. */
async function writeNew(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Whether npm has installed what the folder needs. */
async function install(folder: string, { warn }: Console): Promise<boolean> {
  const isWindows = process.platform === 'win32'
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    stdio: 'inherit',
    shell: isWindows,
  })
  const [code] = await once(npm, 'close').catch(() => [1])
  if (code !== 0) warn('npm install did not succeed.\n')
  return code === 0
}
