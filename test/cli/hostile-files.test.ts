import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCommandLine } from '../support/call-command-line.ts'
import { sampleRecording } from '../support/sample-recordings.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** What reads a file that is named, and the name of such a file. */
const commands: Readonly<
  Record<string, { readonly file: string; args(path: string, folder: string): string[] }>
> = {
  lint: { file: 'a.json', args: (path) => ['lint', path] },
  test: { file: 'a.flowtest.yaml', args: (path) => ['test', path] },
  replay: { file: 'a.recording.json', args: (path) => ['replay', path] },
  publish: {
    file: 'a.json',
    args: (path) => ['publish', path, '--url', 'http://127.0.0.1:1'],
  },
  import: { file: 'a.json', args: (path, folder) => ['import', path, '--out', join(folder, 'out')] },
}

/** Files that nobody would write, by what they are. */
const files: Readonly<Record<string, (path: string) => void>> = {
  'a pipe that nobody writes to': (path) => execFileSync('mkfifo', [path]),
  'a device without end': (path) => execFileSync('ln', ['-s', '/dev/zero', path]),
  'a folder': (path) => mkdirSync(path),
  'a file of 3 GiB': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 3 * 2 ** 30)
  },
  'a binary file': (path) => writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0x00, 0xfe])),
  'nothing but brackets': (path) => writeFileSync(path, '['.repeat(2_000_000)),
  'a million levels': (path) => writeFileSync(path, `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`),
  'a million levels of objects': (path) =>
    writeFileSync(path, `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`),
  'two million values': (path) => writeFileSync(path, `{"groups":[${'0,'.repeat(2_000_000)}0]}`),
  'a line of 20 MiB': (path) => writeFileSync(path, `"${'a'.repeat(20 * 2 ** 20)}"`),
}

describe.each(Object.entries(commands))('flow-runtime %s', (_name, { file, args }) => {
  it.each(Object.entries(files))('ends with a message for %s', async (_what, make) => {
    const folder = emptyFolder()
    const path = join(folder, file)
    make(path)
    const { code, out, err } = await callCommandLine(args(path, folder), { ADMIN_TOKEN: 'adm1n' })
    expect([1, 2]).toContain(code)
    const said = out + err
    expect(said).toContain(file)
    expect(said.length).toBeLessThan(5_000)
  })
})

describe('flow-runtime replay', () => {
  const changed = (
    change: (file: {
      start: { limits: Record<string, number> }
      turns: object[]
      definitions: object
    }) => void,
  ) => {
    const file = JSON.parse(JSON.stringify(sampleRecording('support-triage-1')))
    change(file)
    const path = join(emptyFolder(), 'a.recording.json')
    writeFileSync(path, JSON.stringify(file))
    return callCommandLine(['replay', path])
  }
  const frame = (file: { start: object }) => ({
    program: (file.start as { program: string }).program,
    flowId: 'f',
    variables: [],
    answers: [],
  })

  it('refuses a session of more flows than any has', async () => {
    const { code, err } = await changed((file) => {
      const queue = Array(12_000).fill(frame(file))
      file.turns[1] = { ...file.turns[1], found: { state: 'waiting', queue } }
    })
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('/turns/1/found/queue must not have more than 1000 flows'),
    ])
  })

  it.each([
    [
      'turns',
      '/turns must not have more than 1000 turns',
      (file: { turns: object[] }) => Array(1001).fill(file.turns[1]),
    ],
    [
      'definitions',
      '/definitions must not hold more than 50',
      () => Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`d${n}`, {}])),
    ],
  ])('refuses too many %s, as the service does', async (part, expected, made) => {
    const { code, err } = await changed((file) => Object.assign(file, { [part]: made(file) }))
    expect([code, err]).toEqual([2, expect.stringContaining(expected)])
  })

  it('ends a flow that a recording lets walk for ever', async () => {
    const { code, out } = await changed((file) => {
      for (const name of Object.keys(file.start.limits)) file.start.limits[name] = 1e15
      const [definition] = Object.values(file.definitions)
      for (const edge of definition.edges) edge.to = definition.edges[0].to
    })
    expect([code, out]).toEqual([1, expect.stringContaining('diverged')])
  })
})

describe('what a file says', () => {
  const evil = 'x\u001b[2J\u009b31m\n::error ::forged\r\u2028##[error]'
  const flow = { id: evil, publicId: 'a', version: '6', name: evil, variables: [{ id: evil, name: evil }] }
  const group = {
    id: 'g1',
    title: evil,
    blocks: [{ id: evil, type: 'text', content: { plainText: `{{${evil}}}` }, outgoingEdgeId: evil }],
  }
  const definition = {
    ...flow,
    events: [{ id: 's', type: 'start', outgoingEdgeId: evil }],
    groups: [group],
    edges: [],
  }
  const runs = ['pretty', 'github', 'json', 'sarif', 'junit'].map((format) => ({
    command: 'lint',
    args: ['--format', format],
  }))

  it.each([...runs, { command: 'import', args: [] }])(
    'neither reaches the terminal nor commands a CI: $command $args',
    async ({ command, args }) => {
      const folder = emptyFolder()
      const path = join(folder, 'a.json')
      writeFileSync(path, JSON.stringify(definition))
      const { out, err } = await callCommandLine([
        command,
        path,
        ...args,
        ...(command === 'import' ? ['--out', join(folder, 'out')] : []),
      ])
      const said = out + err
      expect(said).toContain('2J')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      const forged = said
        .split('\n')
        .filter((line) => /^\s*(?:::|##\[)/.test(line) && !line.startsWith('::error file='))
      expect(forged.filter((line) => !/^::(?:warning|notice) file=/.test(line))).toEqual([])
      expect(readdirSync(folder)).toContain('a.json')
    },
  )
})

describe('an answer of something else than an editor', () => {
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  const flows = (...ids: unknown[]) => {
    const list = ids.map((id) => ({ id }))
    return JSON.stringify({ workspaces: [{ id: 'w' }], typebots: list, typebot: 5 })
  }
  const bodies: readonly (readonly [string, string | Buffer])[] = [
    ['that is no JSON', '<html>'],
    ['with a million levels', deep],
    ['with nothing but brackets', '['.repeat(2_000_000)],
    ['of bytes', Buffer.from([0x7f, 0xff, 0x00, 0xfe])],
    ['of 40 MiB', `"${'a'.repeat(40 * 2 ** 20)}"`],
    ['with ids that lead elsewhere', flows('../../etc/passwd', '/a', '\u001b[2J')],
    ['with ids that are none', flows(null, {}, 5)],
    ['with more flows than any has', flows(...Array(10_001).fill('a'))],
    ['with lists that are none', '{"workspaces":5}'],
  ]

  it.each(bodies)('%s ends pull with a message, and writes nothing', async (_, body) => {
    const server = createServer((_request, response) => void response.end(body)).listen(0)
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const out = join(emptyFolder(), 'out')
    const { code, err } = await callCommandLine(['pull', '--from', url, '--token', 't0k3n', '--out', out])
    expect([code, err.length > 0, err.length < 5_000]).toEqual([1, true, true])
    expect(err).not.toContain('\u001b')
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([])
  })
})
