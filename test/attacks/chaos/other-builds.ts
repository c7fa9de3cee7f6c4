import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { alterBuild, type Build } from './altered-build.ts'

/** What builds that run together have to agree on. */
const shared = [
  'migrations',
  'src/stores/codec',
  'src/stores/postgres/conversations',
  'src/stores/session.ts',
]

/** The build of the last commit before the newest change to what builds share; undefined without the history. */
export function buildBefore(root: string): Build | undefined {
  const commit = findCommitBefore(root)
  if (!commit) return undefined
  const folder = join(root, `dist-${commit.slice(0, 12)}`)
  const build = { dist: join(folder, 'dist'), remove: () => rmSync(folder, { recursive: true, force: true }) }
  try {
    mkdirSync(folder, { recursive: true })
    const sources = ['src', 'schemas', 'migrations', 'tsconfig.json', 'package.json']
    const archive = execFileSync('git', ['archive', commit, ...sources], { cwd: root, maxBuffer: 1e8 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      stdio: 'inherit',
    })
    return build
  } catch (error) {
    build.remove()
    throw error
  }
}

/** A checkout of the latest commit alone has none before. */
function findCommitBefore(root: string): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const newest = git('log', '-1', '--format=%H', '--', ...shared, ':!*.md')
    return git('rev-parse', '--verify', `${newest}^`)
  } catch {
    return undefined
  }
}

const codec = 'src/stores/codec/conversation-codec.js'

/** A build that writes conversations in a format of its own, and reads this build's besides, as the next one may. */
export function buildAfter(root: string): Build {
  return alterBuild(root, [
    {
      file: codec,
      from: `    return JSON.stringify(row);`,
      to: `    const [, , id, kind, ...rest] = row;
    return JSON.stringify([99, revision, kind, id, ...rest]);`,
    },
    {
      file: codec,
      from: `const readers = {`,
      to: `const readers = {
    99: ([, revision, kind, id, ...rest]) => readers[1]([1, revision, id, kind, ...rest]),`,
    },
  ])
}
