import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Console, exitCodes, type Run, UsageError } from './command.ts'
import { findFlowFiles, repeatOnChange } from './input/find-files.ts'
import { blocksOption, readBlocks } from './input/read-blocks.ts'
import { run as lint } from './lint.ts'
import { readFlowFiles } from './lint-files/check-files.ts'
import { loadOrExplain, nextEntrance, serveFlows } from './serve.ts'

/** Text of `dev --help`. */
export const help = (): string => `Usage: flow-runtime dev [--no-open] [--blocks FOLDER] [FOLDER]

Serves the flows of a folder (default FLOWS_DIR, else ./flows) on this machine alone, and opens /try at the one that was
saved last. At every save it checks the flows here, and the page takes the new version and says again what was said. PORT
is the port (default 3000), LOG_LEVEL says what is logged (default error).

  --no-open        leave the browser alone
  --blocks FOLDER  own block types (default BLOCKS_DIR), as they are when it starts

Exits with 1 when the service could not start.
`

/** Serves a folder to its author, until the process ends. */
export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'no-open': { type: 'boolean' }, ...blocksOption },
  })
  const [folder = console.env['FLOWS_DIR'] || 'flows', ...more] = positionals
  if (more.length > 0)
    throw new UsageError(`dev serves one folder, and ${JSON.stringify(more[0])} is another`)
  const paths = await findFlowFiles([folder]).catch((error: Error) => {
    throw new UsageError(`${error.message}. flow-runtime init makes a folder with a first flow.`)
  })
  const { registry } = await readBlocks(values.blocks, console)
  const BLOCKS_DIR = values.blocks ?? console.env['BLOCKS_DIR']
  const loaded = await loadOrExplain({
    ...console,
    // Warnings of flows stand above already, in words.
    env: { LOG_LEVEL: 'error', ...console.env, ...localOnly, FLOWS_DIR: folder, BLOCKS_DIR },
  })
  if (!loaded) return exitCodes.failed
  serveFlows(loaded, async ({ address, token, onSpent }) => {
    onSpent((next) => console.print(nextEntrance(address, next)))
    let last = ''
    await repeatOnChange(
      paths,
      async () => {
        await lint([folder, '--fail-on', 'never', ...(BLOCKS_DIR ? ['--blocks', BLOCKS_DIR] : [])], console)
        const file = await savedLast(await findFlowFiles([folder]))
        if (file === last) return
        const [{ publicId } = { publicId: '' }] = await readFlowFiles([file], { ...console, registry })
        const page = `${address}/try?flow=${encodeURIComponent(publicId)}&watch&token=${token()}`
        console.print(`\n${file}: ${page}\n\n`)
        if (last === '' && !values['no-open']) openBrowser(page, console)
        last = file
      },
      console,
    )
  })
  return undefined
}

/** The pages of authors open by a token, which only a service for its own machine has. */
const localOnly = {
  HOST: '127.0.0.1',
  PAGES: undefined,
  PUBLIC_URL: undefined,
  TRUST_PROXY: undefined,
}

async function savedLast(paths: readonly string[]): Promise<string> {
  const files = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  return files.sort((a, b) => b.at - a.at)[0]?.path ?? ''
}

/** Opens an address where there is a screen; a machine without a browser leaves it at the printed one. */
function openBrowser(address: string, { env }: Console): void {
  const { platform } = process
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return
  const program = platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer' : 'xdg-open'
  const opener = spawn(program, [address], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}
