import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'junit2json'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { bubble, edge, group, leaving, textInput, variable } from '../fixtures/short-flows.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

const orders = wholeDefinition({
  variables: [variable('Name'), variable('State')],
  groups: [
    group(
      'g1',
      bubble('b1', 'Hello'),
      { ...textInput('i1', 'vName'), type: 'email input' },
      {
        id: 'c1',
        type: 'choice input',
        items: [
          { id: 'x', content: 'Order', outgoingEdgeId: 'e1' },
          { id: 'y', content: 'Stop' },
        ],
      },
    ),
    group(
      'g2',
      {
        id: 'r1',
        type: 'Webhook',
        options: {
          webhook: { url: 'https://api.example/orders', method: 'POST', body: '{"mail":"{{Name}}"}' },
          isCustomBody: true,
          responseVariableMapping: [{ id: 'm', variableId: 'vState', bodyPath: 'data.state' }],
        },
      },
      leaving(bubble('b2', 'It is {{State}}.'), 'e2'),
    ),
    group('g3', bubble('b3', 'Bye')),
    group('g4', bubble('b4', 'Nobody')),
  ],
  edges: [edge('e1', 'g2'), edge('e2', 'g3')],
})

/** A folder with a flow, and a file of tests. */
function folderOf(tests: string, flow: Json = orders): string {
  const folder = mkdtempSync(join(tmpdir(), 'flowtest-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(flow, null, 2))
  writeFileSync(join(folder, 'orders.flowtest.yaml'), tests)
  return folder
}

const test = (...args: string[]) => callCommandLine(['test', ...args])

const mocks = `flow: orders.json
http:
  - match: { method: POST, url: "https://api.example/*", json: { mail: "{{any}}" } }
    reply: { json: { state: shipped } }
`
const steps = (...lines: string[]) =>
  `${mocks}tests:\n  - name: a test\n    steps:\n${lines.map((line) => `      - ${line}\n`).join('')}`

const wholeWay = [
  'sees: Hello',
  'asks: email input',
  'says: nobody',
  'refused: true',
  'says: ada@shop.example',
  'vars: { Name: ada@shop.example }',
  'asks: { type: choice input, items: [Order, Stop] }',
  'says: Order',
  'called: { method: POST, url: /orders, json: { mail: ada@shop.example } }',
  'sees: ["It is …ed.", /^by/i]',
  'went: [G1, x, e1, g2, G3]',
  'asks: nothing',
]

describe('flow-runtime test', () => {
  it('passes the tests of the sample flows', async () => {
    const { code, out } = await test('flows')
    expect([code, out]).toEqual([0, expect.stringContaining(' 0 failed')])
  })

  it('goes through the steps of a test', async () => {
    const { code, out } = await test(folderOf(steps(...wholeWay)))
    expect([code, out]).toEqual([0, expect.stringMatching(/✓ a test\n\n1 passed, 0 failed in \d+ ms\n$/)])
  })

  it.each<[step: string, message: string]>([
    ['sees: Hi', 'sees: expected "Hi", saw "Hello"'],
    ['sees: [Hello, Bye]', 'sees: message 2: expected "Bye", saw nothing'],
    ['sees: [{ image: … }]', 'sees: expected {"image":"…"}, saw "Hello"'],
    ['asks: text input', 'asks: expected text input, asked for email input'],
    ['asks: { items: [A] }', 'asks: expected the items "A", saw nothing'],
    ['refused: true', 'refused: the answer was not refused'],
    ['called: { url: /x/ }', 'called: expected a call like {"url":"/x/"}, called nothing'],
    ['mailed: { to: a }', 'mailed: expected a mail like {"to":"a"}, mailed nothing'],
    ['vars: { Name: Ada }', 'vars: Name: expected "Ada", is null'],
    ['vars: { Nam: Ada }', 'vars: the flow declares no variable "Nam"'],
    ['went: [g1, g2]', 'went: "g2" was not passed after that; the path: "G1"'],
    ['progress: 1', 'progress: expected 1, is 33.33'],
    ['logs: [x]', 'logs: expected the log "x", logged nothing'],
  ])('names what does not hold, and its line: %s', async (step, message) => {
    const folder = folderOf(steps('asks: email input', step))
    const { code, out } = await test(folder)
    expect(code).toBe(1)
    expect(out).toContain(`orders.flowtest.yaml:9:`)
    expect(out).toContain(` ${message}\n`)
  })

  it('fails a call that no mock fits, and names mocks that never fitted', async () => {
    const tests = steps('says: a@b.example', 'says: Order', 'asks: nothing').replace('POST', 'GET')
    const { code, out } = await test(folderOf(tests))
    expect(code).toBe(1)
    expect(out).toContain('no mock fits POST https://api.example/orders: add a rule, or "unmatched: answer"')
    expect(out).toContain('orders.flowtest.yaml:3:5 the mock /http/0 never fitted')
    expect((await test(folderOf(`unmatched: answer\n${tests}`))).code).toBe(0)
  })

  it('takes a mock by its time, of which nobody waits for any', async () => {
    const slow = steps('says: a@b.example', 'says: Order', 'sees: [It is shipped., Bye]')
    const taking = (ms: string) => slow.replace('    reply', `    after: ${ms}\n    reply`)
    expect(await test(folderOf(taking('9s')))).toMatchObject({ code: 0 })
    const { code, out } = await test(folderOf(taking('11s')))
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('sees: message 1: expected "It is shipped.", saw "It is ."'),
    ])
  })

  it('writes transcripts, and tells where a conversation differs from one', async () => {
    const tests = `${mocks}tests:\n  - { name: whole, golden: whole.md, says: [a@b.example, Order] }\n`
    const folder = folderOf(tests)
    expect((await test(folder)).out).toContain('there is no whole.md yet: --update writes it')
    expect((await test(folder, '--update')).code).toBe(0)
    expect(readFileSync(join(folder, 'whole.md'), 'utf8')).toBe(`**Bot** Hello

> [email input]

**You** a@b.example

> [choice input] Order · Stop

**You** Order

> [request] POST https://api.example/orders {"mail":"a@b.example"}

**Bot** It is shipped.

**Bot** Bye

_The conversation is over._
`)
    expect((await test(folder)).code).toBe(0)
    writeFileSync(join(folder, 'orders.json'), JSON.stringify(orders).replace('Bye', 'Ciao'))
    expect((await test(folder)).out).toMatch(
      /line 15 was "\*\*Bot\*\* Bye", is "\*\*Bot\*\* Ciao" \(--update writes it anew\)\n(.*\n)*.*orders\.json:\d+:\d+ text: /,
    )
  })

  it('walks every way, and reports what it met', async () => {
    const tests = `${mocks}tests:
  - name: every way
    explore: { depth: 5 }
    expect: { unreached: none, deadEnds: none }
`
    const { code, out } = await test(folderOf(tests))
    expect(code).toBe(1)
    expect(out).toMatch(
      /deadEnds: the conversation ends without a word after ada@shop\.example → Stop\n.*orders\.json:\d+:\d+ choice input: /,
    )
    expect(out).toMatch(/unreached: nobody reaches "G4"\n.*orders\.json:\d+:\d+ text\n/)
    expect(out).not.toContain('"G3"')
  })

  it('ends with every loop', async () => {
    const loop = wholeDefinition({
      groups: [
        group('g1', leaving({ id: 'c', type: 'choice input', items: [{ id: 'a', content: 'A' }] }, 'e')),
      ],
      edges: [edge('e', 'g1')],
    })
    const tests = 'flow: orders.json\ntests: [{ name: every way, explore: { depth: 100 } }]'
    expect((await test(folderOf(tests, loop))).out).toContain('4 ways')
  })

  it('measures what was run', async () => {
    const folder = folderOf(steps(...wholeWay))
    const { out } = await test(folder, '--coverage', 'text')
    expect(out).toContain('groups     75.0 %      3/4  not: g4')
    expect(out).toContain('items      50.0 %      1/2  not: y')
    expect(out).toContain('refusals   50.0 %      1/2  not: c1')
    const lcov = join(folder, 'lcov.info')
    const { code, err } = await test(
      folder,
      '--coverage',
      'lcov',
      '--coverage-file',
      lcov,
      '--min-coverage',
      'edges=100',
      '--min-coverage',
      'groups=90',
    )
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /orders\.json: 75\.0 % of the groups were run, less than --min-coverage groups=90\n$/,
      ),
    ])
    const line = JSON.stringify(orders, null, 2)
      .split('\n')
      .findIndex((text) => text.includes('"g4"'))
    expect(readFileSync(lcov, 'utf8')).toMatch(new RegExp(`SF:.*orders.json\n(DA:.*\n)*DA:${line},0\n`))
  })

  it('counts the events that visitors have set off', async () => {
    const command = (id: string) => ({ id, type: 'command', outgoingEdgeId: 'e2', options: { command: id } })
    const start = { id: 'begin', type: 'start', outgoingEdgeId: 'e1' }
    const helpful = wholeDefinition({
      events: [start, command('help'), command('stop')],
      groups: [group('g1', textInput('i1')), group('g2', bubble('b2', 'Here'))],
      edges: [edge('e1', 'g1'), edge('e2', 'g2')],
    })
    const tests =
      'flow: orders.json\ntests: [{ name: a, steps: [{ says: { command: help } }, { sees: Here }] }]'
    const { code, out } = await test(folderOf(tests, helpful), '--coverage', 'text')
    expect([code, out]).toEqual([0, expect.stringContaining('events     50.0 %      1/2  not: stop')])
  })

  it('measures a turn to its end, however much it shows', async () => {
    const bubbles = Array.from({ length: 200 }, (_, nth) => bubble(`b${nth}`, 'x'.repeat(1000)))
    const long = wholeDefinition({ groups: [group('g1', ...bubbles)] })
    const tests = 'flow: orders.json\ntests: [{ name: all, steps: [{ asks: nothing }] }]'
    const { out } = await test(folderOf(tests, long), '--coverage', 'text')
    expect(out).toContain('blocks    100.0 %  200/200')
  })

  it('writes for other tools', async () => {
    const folder = folderOf(steps('sees: "<Hi> & bye"'))
    const suites = await parse((await test(folder, '--format', 'junit')).out)
    expect(suites).toMatchObject({
      tests: 1,
      failures: 1,
      testsuite: [
        {
          testcase: [{ name: 'a test', failure: [{ message: 'sees: expected "<Hi> & bye", saw "Hello"' }] }],
        },
      ],
    })
    expect((await test(folder, '--format', 'github')).out).toMatch(
      /^::error file=.*orders\.flowtest\.yaml,line=8,col=15,title=a test::sees: expected .*\n::warning file=.*,line=3,col=5::the mock \/http\/0 never fitted: .*\n$/,
    )
    const { out } = await test(folder, '--format', 'tap')
    expect(out).toMatch(/^TAP version 13\n1\.\.1\nnot ok 1 - .*orders\.flowtest\.yaml: a test\n {2}---\n/)
    expect(JSON.parse((await test(folder, '--format', 'json')).out).files[0].tests[0].outcome).toBe('failed')
  })

  it('runs again whenever a file has changed, also after one that can not be read', async () => {
    const folder = folderOf(steps('sees: Hello'))
    const ended = new AbortController()
    onTestFinished(() => ended.abort())
    const told = { out: '', err: '' }
    const code = await runCommandLine(['test', folder, '--watch'], {
      env: {},
      ended: ended.signal,
      print: (text) => {
        told.out += text
      },
      warn: (text) => {
        told.err += text
      },
    })
    expect([code, told.out]).toEqual([undefined, expect.stringContaining('1 passed')])
    const becomes = (expected: () => void) => vi.waitFor(expected, { timeout: 30_000 })
    writeFileSync(join(folder, 'orders.json'), JSON.stringify(orders).replace('Hello', 'Welcome'))
    await becomes(() => expect(told.out).toContain('1 failed'))
    writeFileSync(join(folder, 'orders.flowtest.yaml'), 'tests: [')
    await becomes(() => expect(told.err).toContain(':1:9 is not valid YAML: '))
    writeFileSync(join(folder, 'orders.flowtest.yaml'), steps('sees: Welcome'))
    await becomes(() => expect(told.out.match(/1 passed/g)).toHaveLength(2))
  })

  it('runs one part of the tests of all files', async () => {
    const three = `${steps('asks: email input')}  - { name: b, explore: {} }\n  - { name: c, explore: {} }\n`
    const folder = folderOf(three)
    const namesOf = async (shard: string) => {
      const { code, out } = await test(folder, '--shard', shard, '--format', 'json')
      const { files } = JSON.parse(out) as { files: { tests: { name: string }[] }[] }
      return [code, ...files.flatMap(({ tests }) => tests.map(({ name }) => name))]
    }
    expect(await namesOf('1/2')).toEqual([0, 'a test', 'c'])
    expect(await namesOf('2/2')).toEqual([0, 'b'])
    expect(await namesOf('4/4')).toEqual([0])
  })

  it('finds a flow by what it is published as', async () => {
    const tests = steps('asks: email input')
    const named = (publicId: string) => tests.replace('orders.json', publicId)
    expect(await test(folderOf(named('shop'), { ...orders, publicId: 'shop' }))).toMatchObject({ code: 0 })
    expect(await test(folderOf(named('orders')))).toMatchObject({ code: 0 })
  })

  it.each<[name: string, tests: string, line: string]>([
    ['no YAML', 'tests: [', ':1:9 is not valid YAML: '],
    [
      'an unknown step',
      steps('seees: Hi'),
      ':8:16 /tests/0/steps/0/seees is not known here; known are: sees, asks, ',
    ],
    [
      'two steps in one',
      steps('{ sees: Hi, asks: text input }'),
      ':8:9 /tests/0/steps/0 must NOT have more than 1 properties',
    ],
    ['no test', 'flow: a\ntests: []', ':2:8 /tests must NOT have fewer than 1 items'],
    [
      'a test of nothing',
      'flow: a\ntests: [{ name: x }]',
      ":2:9 /tests/0 must have one of 'steps', 'golden' and 'explore', and no other",
    ],
    [
      'no flow',
      'tests: [{ name: x, explore: {} }]',
      ':1:1 the file must name its flow, as in "flow: faq.json"',
    ],
    [
      'a wrong clock',
      `clock: noon\n${steps('asks: x')}`,
      ':1:8 /clock must be a moment like 2026-11-21T09:00:00Z',
    ],
    [
      'a list where a word is wanted',
      `mail: {}\n${steps('asks: x')}`,
      ':1:7 /mail must be one of: accept, refuse',
    ],
    [
      'a flow that is not there',
      'flow: a.json\ntests: [{ name: x, explore: {} }]',
      'a.json can not be read: ',
    ],
    [
      'a flow that is published as something else',
      'flow: shop\ntests: [{ name: x, explore: {} }]',
      'is published as "shop"',
    ],
    [
      'a call that is to be made',
      `models: [{ pass: true }]\n${steps('asks: x')}`,
      ':1:18 /models/0/pass is for previews: tests reach nothing outside',
    ],
    [
      'an alias bomb',
      `a: &a [1,1]\nb: &b [${'*a,'.repeat(99)}*a]\nc: [${'*b,'.repeat(99)}*b]\nflow: x\ntests: []`,
      ' can not be read: Excessive alias count',
    ],
  ])('exits with 2 and one line for %s', async (_name, tests, line) => {
    const { code, out, err } = await test(folderOf(tests))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(line)
  })

  it.each([
    ['--format', 'xml'],
    ['--shard', '3/2'],
    ['--shard', '1/2', '--min-coverage', 'edges=9'],
    ['--min-coverage', 'lines=9'],
    ['--only', 'nothing'],
    ['--nonsense'],
  ])('exits with 2 for %s %s', async (...args) => {
    expect((await test(folderOf(steps('asks: email input')), ...args)).code).toBe(2)
  })
})

describe('time that passes', () => {
  const reminding = wholeDefinition({
    events: [
      { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
      { id: 'ev', type: 'idle', outgoingEdgeId: 'eR', options: { after: 'PT1H', atMost: 2 } },
    ],
    groups: {
      a: [
        { id: 'w', type: 'Wait', options: { secondsToWaitFor: 120 } },
        { id: 'i', type: 'text input' },
        { id: 't', text: 'Thanks' },
      ],
      r: [{ id: 'r', text: 'Still there?' }],
    },
    edges: { eR: 'r' },
  })
  const steps = (clock: string, sees: string) => `flow: orders.json
${clock}
tests:
  - name: reminded
    steps:
      - asks: time
      - after: 2m
      - asks: text input
      - after: 59m
      - sees: []
      - after: 2h
      - sees: ${sees}
      - says: Ada
      - sees: Thanks
`

  it('brings what the flow does by itself', async () => {
    const both = '[Still there?, Still there?]'
    const all = await test(folderOf(steps('clock: 2026-11-21T09:00:00Z', both), reminding))
    expect([all.code, all.out]).toEqual([0, expect.stringContaining('✓ reminded')])
    const once = await test(folderOf(steps('clock: 2026-11-21T09:00:00Z', 'Still there?'), reminding))
    expect(once.code).toBe(1)
  })

  it('joins what is said in the window of replies, which is over before anything is looked at', async () => {
    const joining = wholeDefinition({
      settings: { general: { replyWindow: 'PT2S' } },
      variables: [variable('Name')],
      groups: { a: [textInput('i', 'vName'), bubble('t', 'Hi {{Name}}'), textInput('j')] },
    })
    const said = `flow: orders.json
clock: 2026-11-21T09:00:00Z
tests:
  - name: joined
    steps:
      - says: I am
      - says: Ada
      - sees: /Hi I am\\nAda/
      - says: No
      - after: 1s
      - sees: []
      - asks: text input
      - after: 1s
      - asks: nothing
`
    const { code, out } = await test(folderOf(said, joining))
    expect([code, out]).toEqual([0, expect.stringContaining('✓ joined')])
  })

  it('needs a clock that stands', async () => {
    const { code, out } = await test(folderOf(steps('', 'Still there?'), reminding))
    expect(code).toBe(1)
    expect(out).toContain('needs a clock that stands: add "clock" at the top of the file')
  })
})
