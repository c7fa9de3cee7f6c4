import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCircles } from './support/circles.ts'

const root = resolve(import.meta.dirname, '..')

/** Folders whose files may use an export of src or schemas. */
const users = ['src', 'schemas', 'client', 'pages', 'test', 'bench', 'tools']

const texts = new Map(
  [...users.flatMap(filesIn), ...configurations()].map(
    (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
  ),
)

describe('house rules', () => {
  it('keeps at most 15 files in a folder of src, beside its README', () => {
    expect(largeFolders(readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }))).toEqual([])
  })

  it('has no circle of imports in the pages', () => {
    const imports = [...texts]
      .filter(([file]) => file.startsWith('pages/'))
      .flatMap(([file, text]) => targetsOf(file, text).map((target) => ({ file, target })))
    expect(imports.length).toBeGreaterThan(100)
    expect(findCircles(imports).map((circle) => circle.join(' -> '))).toEqual([])
  })

  it('exports nothing that no other file imports', () => {
    expect(unusedExports(texts).filter((place) => isHeld(place) && !place.startsWith(published))).toEqual([])
  })

  it('exports no two functions, classes or values of one name that mean different things', () => {
    expect(namesTwice(texts)).toEqual([])
  })

  it('begins doc comments with their subject, and with no question', () => {
    expect(questioningComments(texts).filter(isHeld)).toEqual([])
  })

  it('recognises what breaks a rule', () => {
    const sources = new Map([
      [
        'src/one.ts',
        '/** What is sent. */\nexport interface Sent {}\n/**\n * Who asks.\n */\nexport const asks = 1\n',
      ],
      ['src/two.ts', "import type { Sent } from './one.ts'\n/** Whatever holds. Names what fails. */\n"],
    ])
    expect(unusedExports(sources)).toEqual(['src/one.ts: asks'])
    const alike = ['src/a.ts', 'src/b.ts'].map((file) => [file, 'export const same = 1\n'] as const)
    expect(namesTwice(new Map(alike))).toEqual(['same: src/a.ts, src/b.ts'])
    expect(questioningComments(sources)).toEqual(['src/one.ts:1', 'src/one.ts:3', 'src/two.ts:2'])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.includes('/node_modules/'))
}

/** The build reads src too, by the configuration at the root. */
function configurations(): string[] {
  return readdirSync(root).filter((name) => name.endsWith('.config.ts'))
}

/** The package exports it. */
const published = 'src/own-blocks/kit/block-kit.ts'

const isHeld = (place: string) => place.startsWith('src/')

interface Entry {
  readonly name: string
  readonly parentPath: string
  isFile(): boolean
}

function largeFolders(entries: readonly Entry[]): string[] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === 'README.md') continue
    const folder = relative(root, entry.parentPath)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > 15).map(([folder, count]) => `${folder}: ${count}`)
}

function targetsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(([, first, second]) =>
    relative(root, resolve(root, dirname(file), first ?? second ?? '')).replaceAll('\\', '/'),
  )
}

/** Exports by `file: name`. Those of a file that is imported as a whole count as used. */
function unusedExports(sources: ReadonlyMap<string, string>): string[] {
  const imported = new Set([...sources].flatMap(([file, text]) => importsOf(file, text)))
  const declared =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(declared)]
      .map(([, name]) => `${file}: ${name}`)
      .filter((place) => !imported.has(place) && !imported.has(`${file}: *`)),
  )
}

/** Names that mean the same wherever they stand: of commands, of back ends, of the kit that the package exports. */
const sameEverywhere = new Set(['help', 'run', 'defineBlock', 'storable', 'findHeads', 'countHeads'])

function namesTwice(sources: ReadonlyMap<string, string>): string[] {
  const declared = /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class) (\w+)/gm
  const files = new Map<string, string[]>()
  for (const [file, text] of sources) {
    if (!isHeld(file)) continue
    for (const [, name = ''] of text.matchAll(declared)) files.set(name, [...(files.get(name) ?? []), file])
  }
  const twice = [...files].filter(([name, held]) => held.length > 1 && !sameEverywhere.has(name))
  return twice.map(([name, held]) => `${name}: ${held.join(', ')}`)
}

/** By `file: name`, the name `*` for all of a file. */
function importsOf(file: string, text: string): string[] {
  const placeOf = (path: string) =>
    relative(root, resolve(root, dirname(file), path))
      .replaceAll('\\', '/')
      .replace(/\.js$/, '.ts')
  const whole = [...text.matchAll(/import\(\s*['`]([^'`]+)['`]\s*\)/g)]
  const named = [...text.matchAll(/(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s*'(\.[^']+)'/g)]
  return [
    ...whole.map(([, path = '']) => `${placeOf(path)}: *`),
    ...named.flatMap(([, names = '', path = '']) =>
      names.includes('*')
        ? `${placeOf(path)}: *`
        : names
            .replace(/^.*\{|\}.*$/gs, '')
            .split(',')
            .map(
              (name) =>
                `${placeOf(path)}: ${
                  name
                    .trim()
                    .replace(/^type\s+/, '')
                    .split(/\s+as\s+/)[0]
                }`,
            ),
    ),
  ]
}

function questioningComments(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/\/\*\*\s+(?:\* )?(?:What(?:ever)?|Who(?:se|ever)?)\b/g)].map(
      ({ index }) => `${file}:${text.slice(0, index).split('\n').length}`,
    ),
  )
}
