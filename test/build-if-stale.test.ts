import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const script = join(import.meta.dirname, '../tools/build-if-stale.mjs')

/** What a build writes first, and last. */
const built = ['dist/bin/flow-runtime.js', 'dist/pages/embed.js']

/** A project whose build only leaves a mark, with what it was built from at 1000 s and the build at 2000 s. */
function createProject() {
  const root = mkdtempSync(join(tmpdir(), 'project-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['src/deep', 'schemas', 'dist/bin', 'dist/pages'])
    mkdirSync(join(root, folder), { recursive: true })
  const scripts = { build: "node -e \"require('node:fs').writeFileSync('was-built', '')\"" }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'project', scripts }))
  for (const file of ['src/deep/a.ts', 'schemas/b.ts', 'tsconfig.json', 'package-lock.json', ...built])
    writeFileSync(join(root, file), '{}')
  const touch = (path: string, seconds: number) => utimesSync(join(root, path), seconds, seconds)
  for (const path of [
    'src/deep/a.ts',
    'schemas/b.ts',
    'tsconfig.json',
    'package-lock.json',
    'src/deep',
    'src',
    'schemas',
  ])
    touch(path, 1000)
  for (const path of built) touch(path, 2000)
  const isBuiltAgain = () => {
    const { status } = spawnSync(process.execPath, [script], { cwd: root })
    expect(status).toBe(0)
    return existsSync(join(root, 'was-built'))
  }
  return { root, touch, isBuiltAgain }
}

describe('a start by npm', () => {
  it('takes the build that there is when nothing has changed since', () => {
    expect(createProject().isBuiltAgain()).toBe(false)
  })

  it.each(['src/deep/a.ts', 'schemas/b.ts', 'tsconfig.json', 'package-lock.json', 'src/deep'])(
    'builds again after a change of %s',
    (path) => {
      const { touch, isBuiltAgain } = createProject()
      touch(path, 3000)
      expect(isBuiltAgain()).toBe(true)
    },
  )

  it('goes on with a build that was broken off before the pages', () => {
    const { root, touch, isBuiltAgain } = createProject()
    touch('src/deep/a.ts', 3000)
    touch('dist/bin/flow-runtime.js', 4000)
    expect(isBuiltAgain()).toBe(true)
    rmSync(join(root, 'dist/pages'), { recursive: true })
    touch('src/deep/a.ts', 1000)
    expect(isBuiltAgain()).toBe(true)
  })

  it('builds where there is no build, and needs no sources where there is one', () => {
    const { root, isBuiltAgain } = createProject()
    rmSync(join(root, 'src'), { recursive: true })
    expect(isBuiltAgain()).toBe(false)
    rmSync(join(root, 'dist'), { recursive: true })
    expect(isBuiltAgain()).toBe(true)
  })
})
