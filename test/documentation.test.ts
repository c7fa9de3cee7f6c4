import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../src/blocks/index.ts'

const root = join(import.meta.dirname, '..')

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The files in a folder and below it, by their paths in the project. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'))
}

const filesAtTop = readdirSync(root, { withFileTypes: true })
  // Git's own file, which a linked worktree has, holds a path of the machine.
  .filter((entry) => entry.isFile() && entry.name !== '.git')
  .map(({ name }) => name)

const code = ['src', 'schemas', 'test'].flatMap(filesIn)
const pages = [...filesAtTop, ...filesIn('docs')].filter((path) => path.endsWith('.md'))

/** The headings of a page; what a fence holds is none. */
function headingsOf(page: string): string[] {
  const text = withoutFences(read(page))
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
}

const withoutFences = (text: string) => text.replace(/^```.*?^```$/gms, '')

/** The name by which a link reaches a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** What a link may lead to in a page: its headings, and the places that it names itself. */
const anchorsOf = (page: string) => [
  ...headingsOf(page).map(anchorOf),
  ...[...read(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
]

/** What the code cites by this pattern, with the file that does. A citation may run over lines of a comment. */
function citations(pattern: RegExp): { readonly file: string; readonly cited: string }[] {
  return code.flatMap((file) => {
    const text = read(file).replace(/\n\s*(?:\*|\/\/)? */g, ' ')
    return [...text.matchAll(pattern)].map(([, cited = '']) => ({ file, cited }))
  })
}

describe('a citation in the code', () => {
  it('of the behaviour names a section that exists', () => {
    const cited = citations(/docs\/(behaviour\/\w+\.md, "[^"]*")/g)
    const sections = new Set(
      filesIn('docs/behaviour').flatMap((page) =>
        headingsOf(page).map((heading) => `${relative('docs', page)}, "${heading}"`),
      ),
    )
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ cited: section }) => !sections.has(section))).toEqual([])
  })

  it('of the interface names a number that exists', () => {
    const cited = citations(/docs\/api\.md,? (\d+(?:\.\d+)?)/g)
    const numbers = headingsOf('docs/api.md').flatMap((heading) => heading.match(/(?<!\S)\d+(\.\d+)?/g) ?? [])
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ cited: number }) => !numbers.includes(number))).toEqual([])
  })
})

it('cites no section of the interface that is not there', () => {
  const cited = citations(/docs\/api\.md, "([^"]*)"/g)
  const sections = headingsOf('docs/api.md').map((heading) =>
    heading.replace(/^[\d.]+ /, '').replaceAll('`', ''),
  )
  expect(cited.length).toBeGreaterThan(0)
  expect(cited.filter(({ cited: section }) => !sections.includes(section))).toEqual([])
})

/** Where the relative links of a page lead: path in the project and anchor. */
function linksOf(page: string) {
  const text = withoutFences(read(page)).replace(/`[^`]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path).replaceAll('\\', '/')
      return { link, target, anchor }
    })
}

describe('the documentation', () => {
  it.each(pages)('links only to what exists: %s', (page) => {
    const leadsNowhere = ({ target, anchor }: ReturnType<typeof linksOf>[number]) =>
      !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    expect(linksOf(page).filter(leadsNowhere)).toEqual([])
  })

  it.each(pages)('has no two headings of one name, which links could not distinguish: %s', (page) => {
    const anchors = headingsOf(page).map(anchorOf)
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) < index)).toEqual([])
  })

  it('can be reached from the README', () => {
    const reached = new Set(['README.md'])
    for (const page of reached)
      for (const { target } of linksOf(page)) if (pages.includes(target)) reached.add(target)
    expect(pages.filter((page) => !reached.has(page))).toEqual([])
  })

  it('names every block type', () => {
    const text = filesIn('docs/behaviour').map(read).join('\n')
    const unnamed = [...blockRegistry.keys()].filter((type) => !text.includes(`\`${type}\``))
    expect(unnamed).toEqual([])
  })
})

describe('the page of the architecture', () => {
  const page = read('docs/architecture.md')
  const named = (text: string) => [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
  const sources = filesIn('src').map(read).join('\n')

  it('names only files that exist', () => {
    const paths = named(page).filter((name) => /^(?:src|schemas|test|flows|tools)\//.test(name))
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('tells the life of a turn by the names in the code', () => {
    const [, life = ''] = page.split(/^## The life of a turn$|^## Decisions/m)
    const names = named(life).filter((name) => /^\w[\w.]*$/.test(name))
    const missing = names
      .flatMap((name) => name.split('.'))
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))
    expect(names.length).toBeGreaterThan(20)
    expect(missing).toEqual([])
  })
})

/** Places outside of the project: nobody who clones it has them. The brackets keep this file itself out. */
const foreign = [/(?<![\w./])[/]work(?![\w-])/, /\breference[/]\d/]

it('keeps the texts of the project free of places that only their authors have', () => {
  const texts = [...filesAtTop, ...code, ...['docs', 'flows', '.ci'].flatMap(filesIn)]
  const offenders = texts.filter((path) => foreign.some((pattern) => pattern.test(read(path))))
  expect(offenders).toEqual([])
})

it('measures no time in tests, except for those that run on a machine of their own', () => {
  const tests = filesIn('test').filter(
    (path) => path.endsWith('.test.ts') && !path.startsWith('test/attacks/stall/'),
  )
  const offenders = tests.filter((path) => /performance\.now\(\) - \w/.test(read(path)))
  expect(offenders).toEqual([])
})

it('has a row for each alarm, and no other', () => {
  const rules = [...read('deploy/prometheus/rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const rows = [...read('docs/operate.md').matchAll(/^\| `(FlowRuntime\w+)` \|/gm)].map(([, name]) => name)
  expect(rules.length).toBeGreaterThan(0)
  expect(rows).toEqual(rules)
})
