import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import { ConfigError } from '../../src/lib/config-error.ts'
import { builtInBlocks, loadBlocks } from '../../src/own-blocks/load-blocks.ts'
import { folderOfBlocks } from '../support/own-blocks.ts'

const head = "import { defineBlock, Type } from 'flow-runtime/blocks'\n"

/** A good block, with other fields. */
const source = (fields = '', type = 'acme/shout') =>
  `${head}export default defineBlock({ kit: 1, type: '${type}', kind: 'logic', schema: Type.Object({}), run: () => ({}), ${fields} })`

/** What is wrong with a folder, without its name. */
async function problemsOf(modules: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = folderOfBlocks(modules)
  const error = await loadBlocks(folder).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).problems.map((problem) => problem.replaceAll(`${folder}/`, ''))
}

describe('loading own blocks', () => {
  it('adds nothing without a folder', async () => {
    expect(await loadBlocks(undefined)).toBe(builtInBlocks)
  })

  it('adds the blocks of a folder to the built-in ones, and leaves other files', async () => {
    const { registry, own } = await loadBlocks(
      folderOfBlocks({
        'a.js': source(),
        'b.js': source('', 'acme/b'),
        'notes.md': '',
        'a.d.ts': 'nonsense',
      }),
    )
    expect(own.map(({ block }) => block.type)).toEqual(['acme/shout', 'acme/b'])
    expect([...registry.keys()]).toEqual([...blockRegistry.keys(), 'acme/shout', 'acme/b'])
  })

  it.each([
    ['no export', 'export const block = 1', 'a.js has no default export'],
    ['another export', 'export default 5', 'a.js exports 5 and no block'],
    ['a module that throws', "throw new Error('no key')", 'a.js can not be loaded: no key'],
    ['no kit', source('kit: undefined'), 'a.js /kit must be 1: it is missing'],
    ['no owner', source("type: 'shout'"), 'a.js /type must name its owner before a slash: "acme/shout"'],
    ['a built-in name', source("type: 'Wait'"), 'a.js /type must name its owner before a slash'],
    ['capitals', source("type: 'Acme/Shout'"), 'a.js /type must be owner/name in small letters'],
    ['no type', source('type: undefined'), 'a.js /type must be a text such as "acme/slack message"'],
    [
      'an unknown kind',
      source("kind: 'magic'"),
      'a.js /kind must be one of logic, integration, bubble, input',
    ],
    ['a schema that is a list', source('schema: []'), 'a.js /schema must be Type.Object({ … })'],
    [
      'a schema that is a text',
      source('schema: Type.String()'),
      'a.js /schema must be Type.Object({ … }), of the options: it is of the type string',
    ],
    [
      'a schema that says what is not known',
      source("schema: { type: 'object', properties: { a: { type: 'text' } } }"),
      'a.js /schema can not be used',
    ],
    ['a handler that is no function', source('run: 5'), 'a.js /run must be a function: it is 5'],
    ['no view', source("kind: 'input', run: undefined"), 'a.js /view must be { type, block }'],
    [
      'a view of another kind',
      source("kind: 'input', run: undefined, view: { type: 'text', block: () => ({}) }"),
      'a.js /view/type must be one of text input',
    ],
    [
      'a view that makes nothing',
      source("kind: 'input', run: undefined, view: { type: 'text input', block: 5 }"),
      'a.js /view/block must be a function: it is 5',
    ],
    ['a reply to what asks nothing', source('reply: () => ({})'), 'a.js /reply is of inputs'],
    ['a mark that is not known', source('marks: { cals: true }'), 'a.js /marks/cals is not known here'],
    [
      'a mock that sends',
      source('mock: { http: [{ pass: true }] }'),
      'a.js /mock/http/0/pass is of the mocks of a conversation',
    ],
    ['a mock without a rule', source('mock: { http: {} }'), 'a.js /mock/http must be array'],
    [
      'a case without steps',
      source("cases: [{ name: 'a', options: {} }]"),
      "a.js /cases/0 must have required property 'steps'",
    ],
    ['a misspelt property', source('tests: []'), 'a.js /tests is not known: a block has kit, type'],
  ])('names file and property of %s', async (_what, module, problem) => {
    expect((await problemsOf({ 'a.js': module }))[0]).toContain(problem)
  })

  it('names both files of a type that is taken twice', async () => {
    const problems = await problemsOf({ 'a.js': source(), 'b.js': source() })
    expect(problems).toEqual(['b.js /type "acme/shout" is taken by a.js'])
  })

  it('names everything that is wrong at once', async () => {
    const problems = await problemsOf({ 'a.js': source('run: 5, cases: 5'), 'b.js': 'export default {}' })
    expect(problems.map((problem) => problem.split(' ', 2).join(' '))).toEqual([
      'a.js /run',
      'a.js /cases',
      'b.js /kit',
    ])
  })

  it('says which folder is not there', async () => {
    await expect(loadBlocks('/nowhere/blocks')).rejects.toThrow(
      'BLOCKS_DIR "/nowhere/blocks" can not be read (ENOENT)',
    )
  })
})

describe('a week of upgrades', () => {
  it.each([
    [0, 'is 0, which no version speaks any more: write the block for kit 1'],
    [2, 'is 2, and this version of flow-runtime speaks kit 1: update flow-runtime'],
  ])('refuses a block of kit %i, with what to do, whatever else it holds', async (kit, problem) => {
    const module = `${head}export default defineBlock({ kit: ${kit}, type: 5, another: 'property' })`
    const problems = await problemsOf({ 'a.js': module, 'good.js': source() })
    expect(problems).toEqual([expect.stringContaining(`a.js /kit ${problem}`)])
  })

  it('loads a block of kit 1', async () => {
    expect((await loadBlocks(folderOfBlocks({ 'a.js': source() }))).own).toHaveLength(1)
  })
})
