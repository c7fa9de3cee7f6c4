import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const checklists = [
  { file: 'envelope.test.ts', length: 15 },
  { file: 'walk.test.ts', length: 22 },
]

const sourceOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

/** What is wrong with the source of a checklist of so many numbers. */
function faultsOf(source: string, length: number): string[] {
  const [preamble = '', ...sections] = source.split(/^(?=describe\b)/m)
  const numbers = sections.map((section) => Number(/^describe\('(\d+)\. \S/.exec(section)?.[1]))
  const wanted = Array.from({ length }, (_, index) => index + 1)
  return [
    ...wanted.filter((number) => !numbers.includes(number)).map((number) => `${number} is missing`),
    ...numbers
      .filter((number, index) => number !== wanted[index])
      .map((number) => `${number} is out of place`),
    ...sections.flatMap((section, index) =>
      /^ {2}it[.(]/m.test(section) ? [] : [`${numbers[index]} shows nothing`],
    ),
    ...leftOut([preamble, ...sections].join('')),
  ]
}

/** Whatever keeps vitest from running a test, or from telling that it fails. */
function leftOut(source: string): string[] {
  const ways = 'skip|todo|only|skipIf|runIf|fails'
  const found = source.match(new RegExp(`(?:\\.|\\[['"])(?:${ways})\\b|\\b(?:${ways})(?=: )`, 'g')) ?? []
  return found.map((way) => `something is left out by ${way}`)
}

describe.each(checklists)('the checklist in $file', ({ file, length }) => {
  const source = sourceOf(file)
  const numbers = Array.from({ length }, (_, index) => index + 1)

  it('is walked from the first number to the last, and nothing of it is left out', () => {
    expect(faultsOf(source, length)).toEqual([])
  })

  it.each(numbers)('would miss number %d', (number) => {
    const title = `describe('${number}. `
    for (const other of [
      `describe.skip('${number}. `,
      `describe.todo('${number}. `,
      `// ${title}`,
      `describe('`,
    ]) {
      expect(faultsOf(source.replace(title, other), length)).toContain(`${number} is missing`)
    }
  })

  it.each(["it.skip('", "it.todo('", "it.only('", "it['skip']('", "it('x', { skip: true }, () => {}); it('"])(
    'would notice %s',
    (other) => {
      expect(faultsOf(source.replace(/^ {2}it\('/m, `  ${other}`), length)).toEqual([
        expect.stringContaining('something is left out'),
      ])
    },
  )

  it('would notice a number that shows nothing, and one that is there twice', () => {
    const [preamble = '', first = ''] = source.split(/^(?=describe\b)/m)
    expect(faultsOf(`${preamble}describe('1. Nothing', () => {\n})\n`, 1)).toEqual(['1 shows nothing'])
    expect(faultsOf(`${source}\n${first}`, length)).toEqual(['1 is out of place'])
  })
})
