import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { parse } from 'junit2json'
import { describe, expect, it } from 'vitest'
import type { CheckedFile, FileFinding } from '../../src/cli/lint-files/flow-file.ts'
import { reportFormats } from '../../src/cli/lint-formats/report-formats.ts'
import { positionJson } from '../../src/definition/json-positions.ts'
import { rules } from '../../src/tooling/lint/rules/index.ts'

const text = `{
  "groups": [
    { "id": "g1", "blocks": [{ "id": "b1", "outgoingEdgeId": "gone" }] }
  ],
  "edges": [
    { "id": "e1" },
    { "id": "e2" }
  ]
}
`
const { rangeOf } = positionJson(text)

function finding(
  more: Partial<FileFinding> & Pick<FileFinding, 'code' | 'severity' | 'pointer'>,
): FileFinding {
  const range = rangeOf(more.pointer)
  return { message: 'It is wrong.', related: [], docs: `docs/rules.md#${more.code}`, range, ...more }
}

const findings = [
  finding({
    code: 'dangling-edge',
    severity: 'error',
    pointer: '/groups/0/blocks/0/outgoingEdgeId',
    message: 'No "edge"\r\nhas <it>, 100% & more: \u0000end.',
    hint: 'Connect it.',
    groupId: 'g1',
    blockId: 'b1',
    related: [{ pointer: '/edges/0', message: 'Perhaps this.' }],
  }),
  finding({
    code: 'orphan-edge',
    severity: 'info',
    pointer: '/edges/1',
    edgeId: 'e2',
    fix: { title: 'Delete the edge', patch: [{ op: 'remove', path: '/edges/1' }] },
  }),
  finding({ code: 'empty-bubble', severity: 'warning', pointer: '/groups/0' }),
]
const file = (path: string, found: readonly FileFinding[]): CheckedFile => ({
  path,
  text,
  rangeOf,
  runnable: true,
  findings: found,
})
const files = [file('flows/über uns, neu.json', findings), file('flows/good.json', [])]

describe('pretty', () => {
  it('lists findings below their file, each on one line', () => {
    expect(reportFormats.pretty(files)).toBe(
      [
        'flows/über uns, neu.json',
        '  3:62  error    No "edge" has <it>, 100% & more:  end. Connect it.  dangling-edge',
        '   7:5  info     It is wrong.  orphan-edge',
        '   3:5  warning  It is wrong.  empty-bubble',
        '',
        '2 files: 1 error, 1 warning, 1 info; --fix mends 1',
        '',
      ].join('\n'),
    )
  })
})

describe('pretty, of a file that is one long line', () => {
  it.each([
    ['', '/groups/0'],
    ['\n', '/groups/0'],
    ['\n{}', '3:5'],
  ])('names places by their pointers: %j behind it', (behind, place) => {
    const long = { ...file('a.json', findings.slice(2)), text: `{}${behind}` }
    expect(reportFormats.pretty([long])).toContain(`  ${place}  warning  It is wrong.  empty-bubble`)
  })

  it('names the column where nothing can be pointed to', () => {
    const broken = { ...findings[2]!, pointer: '' }
    const long = { ...file('a.json', [broken]), text: '{' }
    expect(reportFormats.pretty([long])).toContain('  3:5  warning  It is wrong.')
  })
})

describe('json', () => {
  it('has every file with its findings', () => {
    expect(JSON.parse(reportFormats.json(files)).files).toMatchObject([
      {
        file: files[0]?.path,
        valid: false,
        findings: [{ range: { start: { line: 2, character: 61 } } }, {}, {}],
      },
      { file: 'flows/good.json', valid: true, runnable: true, findings: [] },
    ])
  })
})

/** Reads a workflow command as the runner does. */
function readCommand(line: string) {
  const [, command, properties = '', data = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? []
  const plain = (value: string) =>
    value
      .replace(/%0D/g, '\r')
      .replace(/%0A/g, '\n')
      .replace(/%3A/g, ':')
      .replace(/%2C/g, ',')
      .replace(/%25/g, '%')
  const read = properties.split(',').map((property) => property.split(/=(.*)/s).slice(0, 2).map(plain))
  return { command, properties: Object.fromEntries(read), data: plain(data) }
}

describe('github', () => {
  it('is a workflow command for each finding, whatever stands in it', () => {
    const lines = reportFormats.github(files).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines.map(readCommand)).toMatchObject([
      {
        command: 'error',
        properties: {
          file: 'flows/über uns, neu.json',
          line: '3',
          endLine: '3',
          col: '62',
          title: 'dangling-edge',
        },
        data: 'No "edge"\r\nhas <it>, 100% & more: \\u0000end. Connect it.',
      },
      { command: 'notice', properties: { line: '7' } },
      { command: 'warning' },
    ])
  })
})

describe('sarif', () => {
  const require = createRequire(import.meta.url)
  // Its own draft is an older one, of which it uses nothing that has changed since.
  const { $schema, id, ...schema } = JSON.parse(
    readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
  )
  const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)
  const log = JSON.parse(reportFormats.sarif(files))

  it('is accepted by the schema of SARIF 2.1.0, with findings and without', () => {
    isSarif(log)
    expect(isSarif.errors).toBeNull()
    isSarif(JSON.parse(reportFormats.sarif([])))
    expect(isSarif.errors).toBeNull()
    expect(isSarif({ ...log, version: '2.0.0' })).toBe(false)
  })

  it('describes every rule, and each result by one of them', () => {
    const [run] = log.runs
    expect(run.tool.driver.rules).toHaveLength(rules.length)
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId)
    expect(run.results.map(({ level }: { level: string }) => level)).toEqual(['error', 'note', 'warning'])
  })

  it('names regions from 1, addresses as URIs, and what mends them', () => {
    const [first, second] = log.runs[0].results
    expect(first.locations[0]).toMatchObject({
      physicalLocation: {
        artifactLocation: { uri: 'flows/%C3%BCber%20uns%2C%20neu.json' },
        region: { startLine: 3, startColumn: 62, endLine: 3, endColumn: 68 },
      },
      logicalLocations: [{ fullyQualifiedName: '/groups/0/blocks/0/outgoingEdgeId' }],
    })
    const [{ deletedRegion, insertedContent }] = second.fixes[0].artifactChanges[0].replacements
    const { charOffset, charLength } = deletedRegion
    const mended = text.slice(0, charOffset) + insertedContent.text + text.slice(charOffset + charLength)
    expect(JSON.parse(mended)).toMatchObject({ edges: [{ id: 'e1' }] })
    expect(JSON.parse(mended).edges).toHaveLength(1)
  })

  it('knows a finding again when its group has moved', () => {
    const moved = findings.map((one) => ({ ...one, pointer: one.pointer.replace('/groups/0', '/groups/7') }))
    const fingerprints = (found: readonly FileFinding[]) =>
      JSON.parse(reportFormats.sarif([file('a.json', found)])).runs[0].results.map(
        (result: { partialFingerprints: object }) => result.partialFingerprints,
      )
    expect(fingerprints(moved)).toEqual(fingerprints(findings))
    expect(new Set(fingerprints(findings).map((one: object) => JSON.stringify(one))).size).toBe(3)
  })
})

describe('junit', () => {
  it('is read as a suite for each file, with failures for what is at least a warning', async () => {
    const read = await parse(reportFormats.junit(files))
    expect(read).toMatchObject({
      tests: 4,
      failures: 2,
      testsuite: [
        {
          name: 'flows/über uns, neu.json',
          tests: 3,
          failures: 2,
          testcase: [
            { name: 'dangling-edge', failure: [{ type: 'error' }] },
            { name: 'orphan-edge' },
            { name: 'empty-bubble', failure: [{ type: 'warning' }] },
          ],
        },
        { name: 'flows/good.json', tests: 1, failures: 0, testcase: [{ name: 'no findings' }] },
      ],
    })
    expect(JSON.stringify(read)).toContain('has <it>, 100% & more')
  })
})
