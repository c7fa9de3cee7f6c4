import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flowFileName, readFlowText } from '../../src/definition/read-flow-text.ts'

const yaml = 'flow: a\ngroups:\n  Hello:\n    - Hi\n'

it('gives a place of the text for a pointer into the definition, in both forms', () => {
  const json = '{\n "groups": [\n  { "title": "Hello" }\n ]\n}'
  expect(readFlowText('a.json', json).rangeOf('/groups/0/title').start).toEqual({ line: 2, character: 13 })
  const read = readFlowText('flows/a.flow.yaml', yaml)
  expect(read.definition).toMatchObject({ id: 'a', groups: [{ title: 'Hello' }] })
  expect(read.rangeOf('/groups/0/title').start).toEqual({ line: 2, character: 2 })
  expect(read.rangeOf('/groups/0/blocks/0/no/such').start).toEqual({ line: 3, character: 6 })
})

it('passes over the mark of the byte order', () => {
  expect(readFlowText('a.json', '\uFEFF{}')).toMatchObject({ definition: {}, problems: [] })
  expect(readFlowText('a.flow.yaml', `\uFEFF${yaml}`)).toMatchObject({
    definition: { id: 'a' },
    problems: [],
  })
})

it.each([
  ['a.json', '', 'is not valid JSON (value expected)', 0],
  ['a.json', '{\n"a" 1}', 'is not valid JSON (colon expected)', 1],
  ['a.flow.yaml', '', 'a flow is a map with "flow" and "groups", and not nothing', 0],
  ['a.flow.yaml', 'flow: a\ngroups:\n  A: Hi', 'the steps of a group are a list, and not "Hi"', 2],
])('says what is wrong with %s %j, and where', (path, text, message, line) => {
  const { definition, problems } = readFlowText(path, text)
  expect(definition).toBeUndefined()
  expect(problems).toMatchObject([{ message, range: { start: { line } } }])
})

it('never throws, and has a place for every pointer', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('a.json', 'a.flow.yaml'),
      fc.oneof(fc.string(), fc.json(), fc.constant(yaml)),
      fc.string(),
      (path, text, pointer) => {
        const { problems, definition, rangeOf } = readFlowText(path, text)
        expect(definition === undefined).toBe(problems.length > 0)
        expect(rangeOf(pointer).start.line).toBeLessThanOrEqual(text.split('\n').length)
      },
    ),
  )
})

it.each([
  ['flows/shop.json', 'shop'],
  ['shop.flow.yaml', 'shop'],
  ['C:\\flows\\shop.v2.json', 'shop.v2'],
  ['.json', ''],
])('names the flow of %s', (path, name) => {
  expect(flowFileName(path)).toBe(name)
})
