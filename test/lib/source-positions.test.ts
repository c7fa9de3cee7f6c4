import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { toSourcePositions } from '../../src/lib/source-positions.ts'

/** A folder of a compiled file: the third line of it comes from the third character of the second line of its source. */
function compiledFile(map: string): { readonly file: string; readonly source: string } {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'walk.js.map'), map)
  const addressOf = (name: string) => pathToFileURL(join(folder, name)).href
  return { file: addressOf('walk.js'), source: addressOf('walk.ts') }
}

const map = JSON.stringify({ version: 3, sources: ['walk.ts'], names: [], mappings: ';;AACE' })

it('names the places of a stack in the sources', () => {
  const { file, source } = compiledFile(map)
  const stack = `    at walk (${file}:3:1)\n    at async ${file}:3:7\n    at node:internal/timers:7:8`
  expect(toSourcePositions(stack)).toBe(
    `    at walk (${source}:2:3)\n    at async ${source}:2:3\n    at node:internal/timers:7:8`,
  )
})

it.each([
  ['has no map', ''],
  ['has a map that is broken', '{"version":3'],
])('leaves a place as it is whose file %s', (_name, text) => {
  const stack = `    at walk (${compiledFile(text).file}:3:1)`
  expect(toSourcePositions(stack)).toBe(stack)
})

it('leaves places of packages and of sources as they are', () => {
  const stack = '    at a (file:///app/node_modules/pino/pino.js:1:1)\n    at b (file:///app/src/walk.ts:1:1)'
  expect(toSourcePositions(stack)).toBe(stack)
})
