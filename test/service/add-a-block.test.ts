import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

// docs/add-a-block.md word by word: its three blocks are added to a copy of the project, and what the page has one run finds
// nothing; then each part is left out, and one of the tests that it names says so.

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'add-a-block-'))
const page = readFileSync(join(root, 'docs/add-a-block.md'), 'utf8')
const fences = [...page.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code)

/** The code of the page that holds this. */
function codeWith(text: string): string {
  const found = fences.filter((code) => code.includes(text))
  if (found.length !== 1) throw new Error(`the page has ${found.length} pieces of code with ${text}`)
  return found[0] as string
}

const append = (path: string, text: string) => appendFileSync(join(folder, path), text)
const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')))

function create(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Writes a schema of the page above the lists. */
const declare = (path: string, name: string) =>
  edit(path, (text) => text.replace('/** All of them. */', `${codeWith(`const ${name} =`)}\n$&`))

const entry = (list: string, name: string) => (text: string) => {
  if (!text.includes(`${list} = [`)) throw new Error(`there is no list ${list}`)
  return text.replace(`${list} = [`, `${list} = [${name}, `)
}

const blocks = [
  { name: 'count', section: 'Count', type: 'Count', kind: 'logic', page: 'logic' },
  { name: 'sliderInput', section: 'Slider input', type: 'slider input', kind: 'inputs', page: 'inputs' },
  { name: 'slack', section: 'Slack', type: 'slack', kind: 'vendors', page: 'integrations' },
] as const

const fileOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const numbers = 'schemas/blocks/inputs/numbers-and-dates.ts'

/** What the page has one do, but for the handlers and their schemas, without which nothing compiles. */
const parts = {
  'lists of schemas'() {
    edit('schemas/blocks/logic.ts', entry('logicBlocks', 'CountBlock'))
    edit(numbers, entry('numberInputBlocks', 'SliderInputBlock'))
    edit('schemas/blocks/vendors.ts', entry('vendorBlocks', 'SlackBlock'))
  },
  'list of inputs as they are shown': () => edit(numbers, entry('numberInputs', 'SliderInput')),
  'list of handlers'() {
    for (const { name, kind } of blocks) {
      edit('src/blocks/index.ts', (text) => `import { ${name} } from './${kind}/${fileOf(name)}.ts'\n${text}`)
      edit('src/blocks/index.ts', (text) => text.replace('Object.freeze([', `Object.freeze([${name}, `))
    }
  },
  account: () =>
    edit('src/config/credentials/vendors/vendors.ts', (text) =>
      text.replace(/( \['segment', )/, `${codeWith("['slack', keyed")}$1`),
    ),
  cases() {
    for (const { name, section, kind } of blocks)
      create(`test/conformance/${kind}/${fileOf(name)}.json`, codeWith(`"title": "${section}"`))
  },
  sections() {
    for (const { section, page, type } of blocks)
      append(`docs/behaviour/${page}.md`, `\n## ${section}\n\nWhat \`${type}\` does.\n`)
  },
  rows() {
    for (const { type, section, page } of blocks) {
      const row = `| \`${type}\` | a block | – | [${section}](behaviour/${page}.md#${section.toLowerCase().replace(' ', '-')}) |\n`
      edit('docs/blocks.md', (text) => text.replace('| `text input` |', `${row}| \`text input\` |`))
    }
  },
}

type Part = keyof typeof parts

const written = [
  'schemas/blocks',
  'src/blocks',
  'src/config/credentials/vendors',
  'test/conformance',
  'test/blocks/logic',
  'docs',
]

/** Writes the blocks of the page anew, without one of their parts. */
function addBlocks(without?: Part) {
  for (const path of written) {
    rmSync(join(folder, path), { recursive: true, force: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  declare('schemas/blocks/logic.ts', 'CountBlock')
  declare(numbers, 'SliderInput')
  declare('schemas/blocks/vendors.ts', 'SlackBlock')
  for (const { name, kind } of blocks)
    create(`src/blocks/${kind}/${fileOf(name)}.ts`, codeWith(`export const ${name} =`))
  create('test/blocks/logic/count.test.ts', codeWith('says that a text is no number'))
  for (const [name, add] of Object.entries(parts)) if (name !== without) add()
}

/** Runs tests of the copy. Returns what they print, empty where all pass. */
async function failuresOf(...tests: readonly string[]): Promise<string> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const run = promisify(execFile)(process.execPath, [vitest, 'run', '--reporter', 'dot', ...tests], {
    cwd: folder,
    maxBuffer: 2 ** 26,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  return run.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

/** The files of tests that the page names. */
const [, named = ''] = /^npx vitest run --project unit (.*?)\nnpx/ms.exec(codeWith('npm run typecheck')) ?? []
const tests = named.split(/[\s\\]+/)
const testNamed = (name: string) => tests.filter((test) => basename(test, '.test.ts') === name)

beforeAll(() => {
  cpSync(root, folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist|\.git|coverage)$/.test(path),
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('has nothing found in blocks that are added as it says', async () => {
  addBlocks()
  expect(await failuresOf(...tests, 'test/blocks/logic/count.test.ts')).toBe('')
  const titles = blocks.map(({ section }) => section).join('|')
  expect(await failuresOf('test/conformance.test.ts', '-t', titles)).toBe('')
})

it.each<[Part, string, ...string[]]>([
  [
    'lists of schemas',
    'architecture',
    'in a list of blocks at the end of a file of schemas/blocks',
    '"Count"',
    '"slack"',
  ],
  [
    'list of inputs as they are shown',
    'architecture',
    'in a list of inputs as they are shown there',
    '"slider input"',
  ],
  ['list of handlers', 'architecture', 'in src/blocks/index.ts', '"Count"', '"slider input"', '"slack"'],
  ['account', 'account-types', 'slack'],
  ['cases', 'conformance-coverage', 'Count', 'slider input', 'slack'],
  ['sections', 'documentation', 'behaviour/logic.md, \\"Count\\"', 'Slider input', 'Slack'],
  ['rows', 'blocks-page', 'Count', 'slider input', 'slack'],
])('names a test that says so where one leaves out the %s', async (part, test, ...words) => {
  addBlocks(part)
  const said = await failuresOf(...testNamed(test))
  for (const word of words) expect(said).toContain(word)
})
