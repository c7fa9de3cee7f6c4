import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sourceHash } from '../../src/definition/content-hash.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

const key = 'b1/content/richText/0/children/0/text'
const said = 'Hi "{{Name}}",\nhow are you? Ω 🙂'

const flowOf = (text: string, more: Json = {}) =>
  wholeDefinition({ blocks: [bubble('b1', text), bubble('b2', '{{Name}}!'), textInput('i1')], ...more })

function folderWith(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'translations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const pathOf = (name: string) => join(folder, name)
  return {
    read: (name: string) => readFileSync(pathOf(name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(pathOf(name), text),
    run: (...args: string[]) =>
      callCommandLine(['translations', ...args.map((arg) => (/\.(json|po)$/.test(arg) ? pathOf(arg) : arg))]),
  }
}

describe('flow-runtime translations', () => {
  it('brings what was translated back into the flow, with the hash of its text, and leaves the rest as it is', async () => {
    const text = JSON.stringify(flowOf(said), undefined, 4)
    const { read, write, run } = folderWith({ 'a.json': text })
    expect(await run('export', 'a.json', '--language', 'pt-br', '--out', 'a.po')).toEqual({
      code: 0,
      out: '',
      err: '1 text is to be translated\n',
    })
    const po = read('a.po')
    expect(po).toContain('"Language: pt_br\\n"')
    write('a.po', po.replace(/msgstr ""\n(?!")/, 'msgstr "Olá \\"{{Name}}\\",\\n Ω"\n'))
    expect(await run('import', 'a.json', 'a.po')).toMatchObject({ code: 0 })
    const translation = { text: 'Olá "{{Name}}",\n Ω', source: sourceHash(said) }
    const definition = JSON.parse(read('a.json'))
    expect(definition).toEqual({ ...JSON.parse(text), localizations: { 'pt-br': { [key]: translation } } })
    expect(read('a.json').startsWith(text.slice(0, -2))).toBe(true)
    // All of it again: a second round changes nothing.
    await run('export', 'a.json', '--language', 'PT-BR', '--out', 'a.po')
    const before = read('a.json')
    await run('import', 'a.json', 'a.po')
    expect(read('a.json')).toBe(before)
  })

  it('marks what was made from another text, and takes none of that back', async () => {
    const fr = { [key]: { text: 'Salut', source: sourceHash('Hello') } }
    const { run, write, read } = folderWith({
      'a.json': JSON.stringify(flowOf('Hi', { localizations: { fr } })),
    })
    const { out, err } = await run('export', 'a.json', '--language', 'fr')
    expect([err, out]).toEqual(['1 text is to be translated\n', expect.stringContaining('#, fuzzy')])
    expect(out).toMatch(/#\. Group 1\n#, fuzzy\nmsgctxt "b1.*"\nmsgid "Hi"\nmsgstr "Salut"/)
    write('a.po', out)
    const before = read('a.json')
    expect(await run('import', 'a.json', 'a.po')).toMatchObject({ code: 0 })
    expect(JSON.parse(read('a.json'))).toEqual(JSON.parse(before))
    write('a.po', out.replace('#, fuzzy\n', ''))
    await run('import', 'a.json', 'a.po')
    expect(JSON.parse(read('a.json')).localizations.fr[key]).toEqual({
      text: 'Salut',
      source: sourceHash('Hi'),
    })
  })

  it('names what leads to no text, and takes the rest', async () => {
    const entry = (name: string) => `msgctxt "${name}"\nmsgid "Hi"\nmsgstr "Salut"\n\n`
    const { run, read } = folderWith({
      'a.json': JSON.stringify(flowOf('Hi')),
      'a.po': entry(key) + entry('b9/content/richText/0/text') + entry('__proto__'),
    })
    const { code, err } = await run('import', 'a.json', 'a.po', '--language', 'fr')
    expect(code).toBe(0)
    expect(err.match(/nothing that visitors read is at "(.*?)"/g)).toHaveLength(2)
    expect(JSON.parse(read('a.json')).localizations).toEqual({
      fr: { [key]: { text: 'Salut', source: sourceHash('Hi') } },
    })
  })

  it.each([
    ['without a word', [], 2, /needs what to do/],
    ['to do something else', ['send', 'a.json'], 2, /needs what to do/],
    ['without a language', ['export', 'a.json'], 2, /--language TAG/],
    [
      'in no language',
      ['export', 'a.json', '--language', 'fr_FR'],
      2,
      /"fr_FR" is no language tag, such as fr/,
    ],
    ['with nothing to import', ['import', 'a.json'], 2, /files of translators/],
    [
      'with a file that names no language',
      ['import', 'a.json', 'b.po'],
      2,
      /b\.po names no language: --language/,
    ],
    [
      'with a file that is none',
      ['import', 'a.json', 'a.json', '--language', 'fr'],
      2,
      /a\.json is no PO file/,
    ],
    ['of a flow that is none', ['export', 'none.json', '--language', 'fr'], 1, /none\.json:1:1 .*groups/],
  ])('refuses to be called %s', async (_, args, code, message) => {
    const { run } = folderWith({
      'a.json': JSON.stringify(flowOf('Hi')),
      'b.po': 'msgctxt "x"\nmsgid "Hi"\nmsgstr "Salut"\n',
      'none.json': '{"version":"6.1","id":"x","events":[]}',
    })
    const called = await run(...args)
    expect(called.err).toMatch(message)
    expect(called.code).toBe(code)
  })
})
