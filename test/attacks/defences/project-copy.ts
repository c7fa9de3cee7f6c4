import { type SpawnOptions, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyEdit } from './apply.ts'
import type { Defence } from './defences.ts'

/** How a test has ended. */
export interface Outcome {
  readonly title: string
  readonly status: string
  /** What it failed for; empty where it passed. */
  readonly failureMessages: readonly string[]
}

/** A copy of the project, in which defences are switched off. */
export interface ProjectCopy {
  /** What the compiler says of the edits of all defences, each beside the files as they are. */
  typecheck(defences: readonly Defence[]): Promise<string>
  /** Makes what the tests start as processes and threads. */
  build(): Promise<void>
  /** Runs tests; undefined when that takes too long, in milliseconds. */
  test(limitMs: number, ...given: readonly string[]): Promise<readonly Outcome[] | undefined>
  /** Does something with a defence switched off. Throws when its edits do not fit. */
  without<T>(defence: Defence, work: () => Promise<T>): Promise<T>
  remove(): void
}

const root = join(import.meta.dirname, '../../..')
const notCopied = new Set(['node_modules', 'dist', 'coverage', '.git'])

export function copyProject(): ProjectCopy {
  const copy = mkdtempSync(join(tmpdir(), 'defences-'))
  cpSync(root, copy, { recursive: true, filter: (path) => !notCopied.has(path.slice(root.length + 1)) })
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'))
  const run = (args: readonly string[], limitMs?: number) => runNode(args, copy, limitMs)
  return {
    async typecheck(defences) {
      const files = defences.flatMap((defence, index) => writeBeside(copy, defence, index))
      const tsc = 'node_modules/typescript/bin/tsc --noEmit --noUnusedLocals false --noUnusedParameters false'
      const { output } = await run(tsc.split(' '))
      for (const file of files) rmSync(file)
      return output
    },
    async build() {
      const { code, output } = await run([
        '--import',
        'tsx',
        '-e',
        "import('./test/service/build.ts').then((made) => made.setup())",
      ])
      if (code !== 0) throw new Error(`the copy can not be built: ${output}`)
    },
    async test(limitMs, ...given) {
      const report = join(copy, 'report.json')
      rmSync(report, { force: true })
      const config = ['--config', 'test/attacks/defences/vitest.config.ts']
      const all = ['run', ...config, ...given, '--reporter=json', `--outputFile=${report}`]
      const { isHung } = await run(['node_modules/vitest/vitest.mjs', ...all], limitMs)
      return isHung ? undefined : readReport(report)
    },
    async without({ edits }, work) {
      const files = [...new Set(edits.map(({ file }) => file))]
      const originals = files.map((file) => [file, readFileSync(join(copy, file), 'utf8')] as const)
      try {
        for (const [file, text] of editedFiles(copy, { edits })) writeFileSync(join(copy, file), text)
        return await work()
      } finally {
        for (const [file, text] of originals) writeFileSync(join(copy, file), text)
      }
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}

/** The files of a defence as they are without it. */
function editedFiles(copy: string, { edits }: Pick<Defence, 'edits'>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const edit of edits) {
    const { file } = edit
    texts.set(file, applyEdit(texts.get(file) ?? readFileSync(join(copy, file), 'utf8'), edit))
  }
  return texts
}

/** Edits of several defences may be of one file, so that each gets a file of its own, which imports what the others do. */
function writeBeside(copy: string, defence: Defence, index: number): string[] {
  return [...editedFiles(copy, defence)].map(([file, text]) => {
    const path = join(copy, file.replace(/\.ts$/, `.without-${index + 1}.ts`))
    writeFileSync(path, text)
    return path
  })
}

/** A file that can't even be loaded has run no test. */
function readReport(path: string): readonly Outcome[] {
  if (!existsSync(path)) return []
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as {
    testResults: readonly { assertionResults: readonly Outcome[] }[]
  }
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly isHung: boolean
}

/** Runs Node until it ends or its time is over, with the processes that it has started. */
async function runNode(args: readonly string[], cwd: string, limitMs?: number): Promise<Ended> {
  const options: SpawnOptions = { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true }
  const child = spawn(process.execPath, args, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  let isHung = false
  const end = () => {
    isHung = true
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  const limit = limitMs === undefined ? undefined : setTimeout(end, limitMs)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(limit)
  return { code, output, isHung }
}
