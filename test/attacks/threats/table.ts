import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A test that attacks as a row of the threat table says. */
export interface ThreatTest {
  readonly title: string
  /** Path in the project. */
  readonly file: string
}

/** The rows of the threat table of SECURITY.md, by what they are called. */
export function threatsIn(page: string): string[] {
  const [, table = ''] = /^## Threats$(.*?)(?=^## |$(?![\s\S]))/ms.exec(page) ?? []
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => row.split(' | ')[0]!.replace(/^\| /, ''))
}

/** Every test of a threat, read from the files beside this one. */
export function listThreatTests(): ThreatTest[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts') && name !== 'table.test.ts')
    .flatMap((name) => {
      const source = readFileSync(join(import.meta.dirname, name), 'utf8')
      const titles = source.matchAll(/^ *it\((?:'(.*?)'|"(.*?)"),/gm)
      return [...titles].map(([, plain, quoted]) => ({
        title: plain ?? quoted ?? '',
        file: `test/attacks/threats/${name}`,
      }))
    })
}
