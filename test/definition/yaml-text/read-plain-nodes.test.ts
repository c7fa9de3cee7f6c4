import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { readAnyNodes } from '../../../src/definition/yaml-text/read-nodes.ts'
import { readPlainNodes } from '../../../src/definition/yaml-text/read-plain-nodes.ts'
import { writeYaml } from '../../../src/tooling/write-yaml/write-yaml.ts'

const bounds = { levels: 64, values: 250_000 }
const flows = ['ask-a-person', 'coffee-bar', 'lead-form', 'opening-hours', 'product-quiz', 'support-triage']
const samples = flows.map((name) => {
  const path = join(import.meta.dirname, '../../../flows', `${name}.json`)
  return writeYaml(readDefinition(JSON.parse(readFileSync(path, 'utf8'))))
})

const piece = fc.constantFrom(
  ...['a', 'b', 'x y', 'ü', '- ', '-', ' ', '  ', '    ', '\n', '\n\n', '\n  ', '\n    ', '\n- ', '\n  - '],
  ...[
    ': ',
    ':',
    'c: d',
    'a: |\n  ',
    '|',
    '|-',
    '|\n',
    '>',
    '\n  x\n',
    '# c',
    ' # c',
    '#',
    '?',
    '!t ',
    '&a ',
    '*a',
  ],
  ...[
    '"x"',
    "'y'",
    '"q\\n"',
    '""',
    "''",
    '"\\x41"',
    '\\',
    '[',
    ']',
    '{',
    '}',
    ', ',
    ',',
    '[a, b]',
    '{a: 1}',
    '[a: b]',
  ],
  ...[
    '1',
    '-1',
    '+1',
    '2.5',
    '00',
    '1.',
    '.5',
    '1e3',
    '0x1',
    '0o7',
    '1_0',
    '2026-01-01',
    'true',
    'null',
    '~',
    '.inf',
  ],
  ...['---', '...', '.', '%', '@', '`', '<<', '\t', '\r\n', '\u0085', '\ufeff'],
)

/** Samples of which some characters are others. */
const altered = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(), fc.nat(6), piece), { minLength: 1, maxLength: 3 }),
  )
  .map(([sample, changes]) =>
    changes.reduce((text, [where, length, added]) => {
      const at = where % (text.length + 1)
      return text.slice(0, at) + added + text.slice(at + length)
    }, sample),
  )
const text = fc.oneof(
  fc.array(piece, { maxLength: 20 }).map((pieces) => `${pieces.join('')}\n`),
  altered,
)

describe('readPlainNodes', () => {
  it.each(flows)('reads the sample %s', (name) => {
    const sample = samples[flows.indexOf(name)] as string
    expect({ root: readPlainNodes(sample, bounds) }).toEqual(readAnyNodes(sample))
  })

  it('reads a text as the library does, with each place, or leaves it to that', () => {
    let read = 0
    fc.assert(
      fc.property(text, (one) => {
        const root = readPlainNodes(one, bounds)
        if (!root) return
        read += 1
        expect({ root }).toEqual(readAnyNodes(one))
      }),
      { numRuns: 4_000 },
    )
    expect(read).toBeGreaterThan(200)
  })

  it.each([
    ['deeper', `a:\n${Array.from({ length: 65 }, (_, level) => `${' '.repeat(level + 1)}a:\n`).join('')}`],
    ['deeper in brackets', `a: ${'['.repeat(65)}${']'.repeat(65)}\n`],
    ['with more values', `a:\n${'- b\n'.repeat(250_001)}`],
  ])('leaves a text to the library that goes %s than it may', (_, one) => {
    expect(readPlainNodes(one, bounds)).toBeUndefined()
  })
})
