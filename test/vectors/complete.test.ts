import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The vectors, and those of them that a decision overrules in part: what they expect has to fail. */
const lists: { file: string; letter: string; length: number; otherwise: string[] }[] = [
  { file: 'bubbles.test.ts', letter: 'B', length: 17, otherwise: [] },
  { file: 'inputs.test.ts', letter: 'I', length: 25, otherwise: ['I6'] },
]

/** What is wrong with the source of a list of so many vectors. */
function faultsOf(source: string, { letter, length, otherwise }: (typeof lists)[number]): string[] {
  const [preamble = '', ...sections] = source.split(/^(?=describe\b)/m)
  const titles = sections.map((section) => /^describe\('(\w\d+)\. \S/.exec(section)?.[1])
  const wanted = Array.from({ length }, (_, index) => `${letter}${index + 1}`)
  const leftOut = source.match(/\b(?:skip|todo|only|skipIf|runIf)\b(?=[.(:'"])/g) ?? []
  const failing = [preamble, ...sections].flatMap((section, index) =>
    /\bfails\b/.test(section) ? [titles[index - 1]] : [],
  )
  return [
    ...wanted.filter((title) => !titles.includes(title)).map((title) => `${title} is missing`),
    ...titles.filter((title, index) => title !== wanted[index]).map((title) => `${title} is out of place`),
    ...sections.flatMap((section, index) =>
      /^ {2}it\b/m.test(section) && /\bexpect\(/.test(section) ? [] : [`${titles[index]} shows nothing`],
    ),
    ...leftOut.map((way) => `something is left out by ${way}`),
    ...failing
      .filter((title) => !otherwise.includes(title ?? ''))
      .map((title) => `${title} is left out as failing`),
  ]
}

describe.each(lists)('the vectors in $file', (list) => {
  const source = readFileSync(join(import.meta.dirname, list.file), 'utf8')
  const titles = Array.from({ length: list.length }, (_, index) => `${list.letter}${index + 1}`)

  it('are all there, in order, and nothing of them is left out', () => {
    expect(faultsOf(source, list)).toEqual([])
  })

  it.each(titles)('would be missed: %s', (title) => {
    const whole = `describe('${title}. `
    for (const other of ["describe('", `describe.skip('${title}. `, `// ${whole}`])
      expect(faultsOf(source.replace(whole, other), list)).toContain(`${title} is missing`)
  })

  it.each(["it.skip('", "it.todo('", "it.only('", "it.fails('", "it['skip']('"])(
    'would notice %s',
    (other) => {
      expect(faultsOf(source.replace(/^ {2}it\('/m, `  ${other}`), list)).toEqual([
        expect.stringContaining('is left out'),
      ])
    },
  )
})
