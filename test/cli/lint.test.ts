import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { bubble, edge, flowLink, leaving, textInput, variable } from '../fixtures/short-flows.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

/** A folder with files of these contents; what is no text becomes a flow. */
function folderOf(files: Readonly<Record<string, Json | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      typeof content === 'string' ? content : JSON.stringify(wholeDefinition(content), null, 2),
    )
  }
  return folder
}

const lint = (...args: string[]) => callCommandLine(['lint', ...args])

const good = { blocks: [bubble('a')] }
const dangling = { blocks: [leaving(bubble('a'), 'gone')] }
const idle = { blocks: [bubble('a')], variables: [variable('Idle')] }
const emptyText = { blocks: [bubble('a', '')] }

const codesIn = (out: string): string[] =>
  JSON.parse(out).files.flatMap((file: { findings: { code: string }[] }) =>
    file.findings.map(({ code }) => code),
  )

describe('flow-runtime lint', () => {
  it('exits with 0 for flows that are good, and says how many there were', async () => {
    const folder = folderOf({
      'a.json': good,
      'deep/b.json': good,
      '.hidden.json': '{',
      'node_modules/c.json': '{',
    })
    expect(await lint(folder)).toEqual({ code: 0, out: '2 files: 0 errors, 0 warnings, 0 infos\n', err: '' })
  })

  it('exits with 1 for an error, and names its line', async () => {
    const folder = folderOf({ 'a.json': dangling })
    const { code, out } = await lint(join(folder, 'a.json'))
    const lines = readFileSync(join(folder, 'a.json'), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('"gone"')) + 1
    expect(code).toBe(1)
    expect(out).toContain(`  ${line}:`)
    expect(out).toMatch(/error +No edge has the id "gone": the path ends here\. .*dangling-edge/)
  })

  it.each([
    [0, emptyText, []],
    [1, emptyText, ['--fail-on', 'warning']],
    [1, emptyText, ['--max-warnings', '0']],
    [0, emptyText, ['--max-warnings', '1']],
    [1, emptyText, ['--rule', 'empty-bubble=error']],
    [0, emptyText, ['--rule', 'empty-bubble=off', '--max-warnings', '0']],
    [0, idle, ['--fail-on', 'warning']],
    [1, idle, ['--fail-on', 'info']],
    [0, dangling, ['--fail-on', 'never']],
  ])('exits with %d as it is asked to (%#)', async (expected, flow, args) => {
    expect((await lint(folderOf({ 'a.json': flow }), ...args)).code).toBe(expected)
  })

  it.each([
    [['--format', 'xml'], 'none of pretty, json, github, sarif, junit'],
    [['--fail-on', 'often'], 'none of error, warning, info, never'],
    [['--max-warnings', 'few'], 'no whole number'],
    [['--rule', 'no-strat=off'], 'no rule is called "no-strat"'],
    [['--rule', 'no-start=loud'], 'none of off, info, warning, error'],
    [['--fox'], '--fox'],
    [['--config', 'nowhere.json'], 'nowhere.json can not be read'],
    [['--credentials', 'nowhere.json'], 'nowhere.json'],
  ])('exits with 2 for wrong usage: %j', async (args, message) => {
    const { code, out, err } = await lint(folderOf({ 'a.json': good }), ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('See flow-runtime lint --help.')
  })

  it('exits with 2 where there is nothing to check', async () => {
    expect((await lint(join(tmpdir(), 'no-such-folder'))).code).toBe(2)
    expect((await lint(folderOf({ 'a.txt': 'x' }))).err).toContain('There is no *.json or *.flow.yaml in')
  })

  it('names the place of what is no JSON, and of what no start takes', async () => {
    const folder = folderOf({
      'a.json': '{\n  "id": "a",\n  groups\n}',
      'b.json': { groups: [{ title: 'x', blocks: [] }] },
    })
    const { code, out } = await lint(folder, '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(out).files).toMatchObject([
      {
        runnable: false,
        findings: [{ code: 'invalid-definition', range: { start: { line: 2, character: 2 } } }],
      },
      { runnable: false, findings: [{ code: 'invalid-definition', pointer: '/groups/0' }] },
    ])
  })

  it('knows the files that are checked together', async () => {
    const files = {
      'a.json': { id: 'a', publicId: 'same', blocks: [flowLink('l', 'b'), flowLink('m', 'nowhere')] },
      'b.json': { id: 'b', publicId: 'same', blocks: [bubble('x'), textInput('i')] },
    }
    const { out } = await lint(folderOf(files), '--format', 'json', '--fail-on', 'never')
    const found = codesIn(out)
    expect(found.filter((code) => code === 'link-missing')).toHaveLength(1)
    expect(found.filter((code) => code === 'public-id-taken')).toHaveLength(2)
    const alone = await lint(join(folderOf(files), 'a.json'), '--format', 'json')
    expect(codesIn(alone.out)).not.toContain('link-missing')
  })

  it('checks accounts against the file of the operator', async () => {
    const mail = (credentialsId: string) => ({
      id: credentialsId,
      type: 'Email',
      options: { credentialsId, recipients: ['a@b.example'] },
    })
    const data = { host: 'mail.example', port: 25, from: { email: 'a@b.example' } }
    const model = { id: 'm', type: 'openai', options: { action: 'Create chat completion', model: 'm' } }
    const table = { id: 't', type: 'nocodb', options: { credentialsId: 'table' } }
    const folder = folderOf({
      'flows/a.json': { blocks: [mail('post'), mail('gone'), model, table] },
      'accounts.json': JSON.stringify([
        { id: 'post', type: 'smtp', data, allowedFlows: ['flow-1'] },
        { id: 'default-openai', type: 'openai', data: { apiKey: 'k' } },
        { id: 'table', type: 'nocodb', data: { apiKey: 'k', baseUrl: 'https://table.example' } },
      ]),
    })
    const flows = join(folder, 'flows')
    const { out } = await lint(flows, '--credentials', join(folder, 'accounts.json'), '--format', 'json')
    expect(codesIn(out).filter((code) => code === 'account-missing')).toHaveLength(1)
    expect(codesIn((await lint(flows, '--format', 'json')).out)).not.toContain('account-missing')
  })
})

describe('a definition that no start takes', () => {
  it('is refused with the place of each value that is wrong, in every format', async () => {
    const gmail = { id: 'b', type: 'gmail', options: { to: ['a@b.example'] } }
    const folder = folderOf({ 'a.json': { blocks: [gmail] } })
    const message = 'The definition is refused: /groups/0/blocks/0/options/to must be string.'
    for (const format of ['pretty', 'json', 'github', 'junit', 'sarif']) {
      const { code, out } = await lint(folder, '--format', format)
      expect([format, code, out]).toEqual([format, 1, expect.stringContaining(message)])
    }
  })
})

describe('what is known beside the files', () => {
  it('is the version that is published, of the flow of the same id', async () => {
    const folder = folderOf({
      'new/a.json': good,
      'old/a.json': { blocks: [textInput('name')] },
      'old/b.json': { id: 'other', blocks: [textInput('mail')] },
    })
    const { out } = await lint(join(folder, 'new'), '--against', join(folder, 'old'))
    expect(out).toContain(
      'No session can wait at "name" any more, the text input block in group "Group 1" until now.',
    )
    expect(out).not.toContain('mail')
    expect((await lint(join(folder, 'new'))).out).not.toContain('removes-waiting-block')
    expect((await lint(join(folder, 'new'), '--against', join(folder, 'gone'))).code).toBe(2)
  })

  it('is the messengers that flows are for', async () => {
    const folder = folderOf({ 'a.json': { blocks: [{ id: 'p', type: 'Pixel' }] } })
    expect((await lint(folder, '--channel', 'telegram')).out).toContain('script-does-nothing-here')
    expect((await lint(folder)).out).not.toContain('script-does-nothing-here')
    expect(await lint(folder, '--channel', 'fax')).toMatchObject({ code: 2 })
  })
})

it('checks again whenever a file changes', async () => {
  const folder = folderOf({ 'a.json': good })
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  let out = ''
  const code = await runCommandLine(['lint', folder, '--watch'], {
    env: {},
    ended: ended.signal,
    print: (text) => {
      out += text
    },
    warn: () => {},
  })
  expect([code, out]).toEqual([undefined, expect.stringContaining('1 file: 0 errors')])
  writeFileSync(join(folder, 'a.json'), JSON.stringify(wholeDefinition(dangling)))
  await vi.waitFor(() => expect(out).toContain('1 file: 1 error'), { timeout: 30_000 })
})

describe('.flowlint.json', () => {
  it('is the nearest one in the folder of a flow or above it', async () => {
    const folder = folderOf({
      '.flowlint.json': '{ "rules": { "empty-bubble": "error" } }',
      'a.json': emptyText,
      'drafts/.flowlint.json': '{ "rules": { "empty-bubble": "off" } }',
      'drafts/b.json': emptyText,
    })
    const { out } = await lint(folder, '--format', 'json')
    expect(JSON.parse(out).files).toMatchObject([{ findings: [{ severity: 'error' }] }, { findings: [] }])
    const named = await lint(folder, '--format', 'json', '--config', join(folder, 'drafts/.flowlint.json'))
    expect(codesIn(named.out)).toEqual([])
  })

  it('has other levels for some files, may be strict, and yields to --rule', async () => {
    const config = {
      extends: 'strict',
      overrides: [{ files: 'drafts/**', rules: { 'unused-variable': 'off' } }],
    }
    const folder = folderOf({
      '.flowlint.json': JSON.stringify(config),
      'a.json': idle,
      'drafts/b.json': idle,
    })
    const { out } = await lint(folder, '--format', 'json')
    expect(JSON.parse(out).files).toMatchObject([{ findings: [{ severity: 'warning' }] }, { findings: [] }])
    expect(codesIn((await lint(folder, '--format', 'json', '--rule', 'unused-variable=off')).out)).toEqual([])
  })

  it.each([
    ['{', ':1 is not valid JSON'],
    ['{ "rules": { "no-strat": "off" } }', 'no rule is called "no-strat"'],
    ['{ "rules": { "no-start": "loud" } }', '/rules/no-start'],
    ['{ "rule": {} }', 'not known'],
    ['[]', '.flowlint.json /'],
  ])('is refused with 2 and a place when it is broken: %s', async (config, message) => {
    const { code, err } = await lint(folderOf({ '.flowlint.json': config, 'a.json': good }))
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

describe('--fix', () => {
  const idle = (name: string) => variable(name, { isSessionVariable: true })

  it('mends what is certain, keeps the rest of the text as it is, and reports what is left', async () => {
    const flow = {
      variables: [variable('Name'), idle('Idle'), idle('Other'), variable('Campaign')],
      blocks: [leaving(textInput('i', 'vName'), 'gone'), bubble('b', 'Hello {{name}}'), bubble('c', '')],
      edges: [edge('orphan', 'g1')],
    }
    const folder = folderOf({ 'a.json': flow })
    const before = readFileSync(join(folder, 'a.json'), 'utf8')
    const { out, err } = await lint(folder, '--fix', '--format', 'json')
    const after = readFileSync(join(folder, 'a.json'), 'utf8')
    expect(err).toBe('4 findings were mended.\n')
    expect(codesIn(out)).toContain('dangling-edge')
    expect(codesIn(out)).toContain('empty-bubble')
    const kept = JSON.parse(after)
    // Of the campaign, results may hold what sites prefill.
    expect(kept.variables).toEqual([variable('Name'), variable('Campaign')])
    expect(kept.edges.map(({ id }: Json) => id)).toEqual(['e-start'])
    expect(after).toContain('Hello {{Name}}')
    const untouched = before.split('\n').filter((line) => /"(type|title|version)"/.test(line))
    expect(after.split('\n').filter((line) => /"(type|title|version)"/.test(line))).toEqual(untouched)
  })

  it('writes nothing where nothing can be mended', async () => {
    const text = `${JSON.stringify(wholeDefinition(emptyText))}   \n`
    const folder = folderOf({ 'a.json': text })
    expect((await lint(folder, '--fix')).err).toBe('')
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(text)
  })
})
