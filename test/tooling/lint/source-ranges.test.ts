import fc from 'fast-check'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { expect, it } from 'vitest'
import { escapeToken } from '../../../src/lib/json-pointer.ts'
import { linesOf } from '../../../src/lib/text-lines.ts'
import { inOneGo } from '../../../src/tooling/lint/lint-flow.ts'
import { findRanges } from '../../../src/tooling/lint/model/source-ranges.ts'

type Path = readonly (string | number)[]

const pointerOf = (path: Path) => path.map((token) => `/${escapeToken(token)}`).join('')

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inside] of Object.entries(value)) {
    yield* pathsIn(inside, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

it('finds every value of a text, as a parser does', () => {
  const spaces = fc.constantFrom(undefined, 1, 2, '\t')
  fc.assert(
    fc.property(fc.jsonValue(), spaces, (value, space) => {
      const text = JSON.stringify(value, null, space)
      const tree = parseTree(text)
      const paths = [...pathsIn(value)]
      const rangeOf = inOneGo(findRanges(text, paths.map(pointerOf)))
      for (const path of paths) {
        const node = tree && findNodeAtLocation(tree, [...path])
        const { offset = 0, length = 0 } = node ?? {}
        expect(rangeOf(pointerOf(path))).toEqual(linesOf(text).rangeAt(offset, offset + length))
      }
    }),
  )
})

it('names what is around a value that is not there', () => {
  const text = '{\n  "a": [1]\n}'
  const rangeOf = inOneGo(findRanges(text, ['/a/7/b', '/x']))
  expect(rangeOf('/a/7/b')).toEqual(linesOf(text).rangeAt(9, 12))
  expect(rangeOf('/x')).toEqual(linesOf(text).rangeAt(0, text.length))
})

it('pauses while it looks through a long text', () => {
  const text = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index))
  expect([...findRanges(text, ['/49999'])].length).toBeGreaterThan(5)
})
