import { oneLine } from '../output/plain-text.ts'
import type { TestedFile } from '../test-files/tested-file.ts'

/** Test Anything Protocol, version 13. */
export function tapTests(files: readonly TestedFile[]): string {
  const all = files.flatMap(({ read, tests }) => tests.map((test) => ({ read, ...test })))
  const lines = all.flatMap(({ read, name, outcome, failures }, index) => {
    const result = outcome === 'failed' ? 'not ok' : 'ok'
    // A number sign would begin a directive.
    const title = oneLine(`${read.path}: ${name}`).replaceAll('#', '\\#')
    const head = `${result} ${index + 1} - ${title}${outcome === 'not run' ? ' # SKIP' : ''}`
    if (failures.length === 0) return [head]
    const items = failures.map(
      ({ pointer, message }) => `    - ${JSON.stringify(`${read.path}:${read.placeOf(pointer)} ${message}`)}`,
    )
    return [head, '  ---', '  failures:', ...items, '  ...']
  })
  return ['TAP version 13', `1..${all.length}`, ...lines, ''].join('\n')
}
