import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sourceHash } from '../../src/definition/content-hash.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { sampleRecording } from '../support/sample-recordings.ts'

const samples = join(import.meta.dirname, '../../flows')

function folderOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'yaml-flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    at: (name: string) => join(folder, name),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
  }
}

const table = `# A table for tonight
flow: table
variables: [Name, Idle]
groups:
  Welcome:
    - Welcome!
    - ask: What is your name?
      into: Name
    - ask: Inside or outside, {{Nmae}}?
      choices: [Inside, Outside: Terrace]
  Terrace:
    - Bring a jacket, {{Name}}.
`

const tests = `flow: table.flow.yaml
tests:
  - name: a jacket
    steps:
      - says: Ann
      - says: Outside
      - sees: Bring a jacket, Ann.
`

describe('a flow in YAML', () => {
  it('is linted in a folder with flows in JSON, each finding at its line', async () => {
    const { folder, at } = folderOf({ 'table.flow.yaml': table, 'notes.yaml': 'no: flow' })
    const { out, code } = await callCommandLine(['lint', folder, '--rule', 'unused-variable=error'])
    expect(code).toBe(1)
    expect(out).toContain(at('table.flow.yaml'))
    expect(out).toMatch(/ 3:19 {2}error .*"Idle"/)
    expect(out).toMatch(/ 9:12 {2}warning .*Nmae/)
    expect(out).toContain('1 file: ')
  })

  it.each([
    ['json', (out: string) => JSON.parse(out).files[0].findings[0].range.start, { line: 2, character: 18 }],
    [
      'sarif',
      (out: string) => JSON.parse(out).runs[0].results[0].locations[0].physicalLocation.region.startLine,
      3,
    ],
    ['github', (out: string) => /line=(\d+),/.exec(out)?.[1], '3'],
    ['junit', (out: string) => /table\.flow\.yaml:(\d+:\d+)/.exec(out)?.[1], '10:17'],
  ] as const)('names the line of a finding in the format %s', async (format, lineIn, line) => {
    const { folder } = folderOf({ 'table.flow.yaml': table })
    const { out } = await callCommandLine(['lint', folder, '--format', format])
    expect(lineIn(out)).toEqual(line)
  })

  it('has keys that no schema knows found, as a file has that names its schema', async () => {
    const { folder } = folderOf({
      'a.flow.yaml': 'flow: a\ngroups:\n  A:\n    - ask: Sure?\n      as: number\n      minimum: 3\n',
    })
    const { out } = await callCommandLine(['lint', folder])
    expect(out).toMatch(/ 6:16 .*minimum.*undeclared-key/)
  })

  it('is left alone by --fix, and counted nowhere as fixable', async () => {
    const { folder, read } = folderOf({ 'table.flow.yaml': table })
    const { out } = await callCommandLine(['lint', folder, '--fix'])
    expect(out).not.toContain('mends')
    expect(read('table.flow.yaml')).toBe(table)
  })

  it('is told from its JSON beside it, which has the same public id', async () => {
    const { folder, at } = folderOf({ 'table.flow.yaml': table })
    await callCommandLine(['convert', folder])
    const { out } = await callCommandLine(['lint', folder])
    expect(out).toContain(`"table" is the public id of ${at('table.json')} too.`)
    writeFileSync(at('table.flowtest.yaml'), tests.replace('table.flow.yaml', 'table'))
    const { err, code } = await callCommandLine(['test', folder])
    expect(code).toBe(2)
    expect(err).toContain('are both published as "table": name one of the files')
  })

  it('is tested, by its file and by its public id', async () => {
    for (const name of ['table.flow.yaml', 'table']) {
      const { folder } = folderOf({
        'table.flow.yaml': table,
        'table.flowtest.yaml': tests.replace('table.flow.yaml', name),
      })
      expect(await callCommandLine(['test', folder])).toMatchObject({
        code: 0,
        out: expect.stringContaining('1 passed'),
      })
    }
  })

  it('counts the lines of the YAML that tests have run', async () => {
    const { folder } = folderOf({ 'table.flow.yaml': table, 'table.flowtest.yaml': tests })
    const { out } = await callCommandLine(['test', folder, '--coverage', 'lcov'])
    expect(out).toContain('table.flow.yaml\nDA:2,1\nDA:5,3\n')
    expect(out).toContain('DA:12,1\n')
  })

  it('names its line where a test can not run it', async () => {
    const { folder, at } = folderOf({
      'table.flow.yaml': table.replace('Outside: Terrace', 'Outside: Terace'),
      'table.flowtest.yaml': tests,
    })
    const { err, code } = await callCommandLine(['test', folder])
    expect(code).toBe(2)
    expect(err).toMatch(`${at('table.flow.yaml')}:10:34 no group is called "Terace"; did you mean "Terrace"?`)
  })

  it.each(['pretty', 'tap', 'junit', 'json', 'github'])(
    'has a failed step of a test name the lines that led there, in the format %s',
    async (format) => {
      const { folder, at } = folderOf({
        'table.flow.yaml': table,
        'table.flowtest.yaml': tests.replace('says: Outside', 'says: Inside'),
      })
      const { out, code } = await callCommandLine(['test', folder, '--format', format])
      expect(code).toBe(1)
      const [failure] = format === 'json' ? JSON.parse(out).files[0].tests[0].failures : []
      if (failure) {
        expect(failure.place).toBe('7:15')
        expect(failure.way).toEqual([
          {
            pointer: '/groups/0/blocks/4',
            place: '9:7',
            blockId: 'welcome-choice',
            blockType: 'choice input',
            went: ['end'],
          },
        ])
      } else {
        expect(out).toContain(`${at('table.flow.yaml')}:9:7 choice input: end`)
        expect(out).toMatch(/table\.flowtest\.yaml(:7:15|,line=7,col=15)/)
      }
    },
  )

  it('is drawn as its JSON is', async () => {
    const { at, folder } = folderOf({ 'table.flow.yaml': table })
    await callCommandLine(['convert', folder])
    const [yaml, json] = [
      await callCommandLine(['graph', at('table.flow.yaml')]),
      await callCommandLine(['graph', at('table.json')]),
    ]
    expect(yaml.code).toBe(0)
    expect(yaml.out.replaceAll('table.flow.yaml', 'table.json')).toBe(json.out)
  })

  it('is what a recording is replayed on, as on its JSON, each with the line where it parts', async () => {
    const { folder, at, read } = folderOf({})
    const { folder: recordings } = folderOf({
      'a.recording.json': JSON.stringify(sampleRecording('support-triage-1')),
    })
    await callCommandLine(['convert', join(samples, 'support-triage.json'), '--keep-ids', '--out', folder])
    await callCommandLine(['convert', folder])
    const on = async (name: string) => {
      const args = ['replay', join(recordings, 'a.recording.json'), '--flow', at(name)]
      const { out } = await callCommandLine([...args, '--format', 'json'])
      const { place, ...divergence } = JSON.parse(out).files[0].divergence
      expect((await callCommandLine(args)).out).toContain(`${divergence.description} (${place})`)
      return { place, divergence }
    }
    const [yaml, json] = [await on('support-triage.flow.yaml'), await on('support-triage.json')]
    expect(yaml.divergence).toEqual(json.divergence)
    // The ids of its edges are all that has changed.
    expect(yaml.divergence.description).toContain('outgoingEdgeId')
    const line = Number(yaml.place.slice(at('support-triage.flow.yaml').length + 1).split(':')[0])
    expect(yaml.place).toBe(`${at('support-triage.flow.yaml')}:${line}:9`)
    expect(
      read('support-triage.flow.yaml')
        .split('\n')
        .slice(line - 1, line + 3)
        .join(),
    ).toContain('id: b-topic')
  })

  it('becomes JSON where a folder has no other flows', async () => {
    const { folder, read } = folderOf({ 'table.flow.yaml': table })
    expect(await callCommandLine(['convert', folder])).toMatchObject({ code: 0 })
    expect(JSON.parse(read('table.json'))).toMatchObject({ id: 'table' })
  })
})

describe('translations of a flow in YAML', () => {
  const key = 'hello-how-are-you/content/markdown'
  const flow = `flow: hello # short\ngroups:\n  Hello:\n    - { say: How are you?,   id: hello-how-are-you }\n`
  const localizations = `localizations:\n  # by Eve\n  fr:\n    ${key}: Salut # old\n`

  async function importInto(text: string) {
    const { at, read } = folderOf({ 'hello.flow.yaml': text })
    const path = at('hello.flow.yaml')
    await callCommandLine(['translations', 'export', path, '--language', 'de', '--out', at('de.po')])
    writeFileSync(at('de.po'), read('de.po').replace(/msgstr ""\n$/, 'msgstr "Wie geht es?"\n'))
    const done = await callCommandLine(['translations', 'import', path, at('de.po')])
    return { ...done, text: read('hello.flow.yaml') }
  }
  const inGerman = `  de:\n    ${key}:\n      text: Wie geht es?\n      source: ${sourceHash('How are you?')}\n`

  it('are written behind it, and everything else stays', async () => {
    expect(await importInto(flow)).toMatchObject({ code: 0, text: `${flow}localizations:\n${inGerman}` })
  })

  it('are written between other parts, with their comments', async () => {
    const head = 'flow: hello\n'
    const rest = flow.slice(flow.indexOf('groups'))
    expect(await importInto(`${head}${localizations}${rest}`)).toMatchObject({
      code: 0,
      text: `${head}${localizations}${inGerman}${rest}`,
    })
  })

  it('are refused where the whole flow is in one line', async () => {
    const { code, err } = await importInto('{ flow: hello, groups: { Hello: [How are you?] } }')
    expect(code).toBe(2)
    expect(err).toContain('whose keys have a line each')
  })
})
