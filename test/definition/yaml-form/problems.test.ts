import { describe, expect, it } from 'vitest'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'

const head = 'flow: f\nvariables: [Name, Plan]\ngroups:\n  Main:\n'

/** The first problem of a flow, with what it points at. */
function problemOf(text: string): readonly [place: string, message: string] {
  const { problems } = compileYamlFlow(text)
  const [{ message, start, end } = { message: 'none', start: 0, end: 0 }] = problems
  return [text.slice(start, end).split('\n', 1)[0] ?? '', message]
}

describe('a mistake', () => {
  it.each([
    [
      '    - aks: Who?',
      'aks',
      '"aks" is no step: a step begins with ask, say, set, if, go, … or the type of a block (docs/yaml.md); did you mean "ask"?',
    ],
    [
      '    - Please note: it is late',
      'Please note',
      '"Please note" is no step: a text that holds ": " needs quotes',
    ],
    [
      '    - ask: Who?\n      into: Naem',
      'Naem',
      'no variable is called "Naem"; declare it under "variables"; did you mean "Name"?',
    ],
    ['    - as: emial', 'emial', /^no input is called "emial"; there are: .*; did you mean "email"\?$/],
    ['    - x\n    - go: Mian', 'Mian', 'no group is called "Mian"; did you mean "Main"?'],
    ['    - go: Main\n    - x', 'x', 'nothing runs behind "go": write it as the last step'],
    [
      '    - choices:\n        - A:',
      'A',
      'where it goes is missing: name a group, write steps, or leave out the colon',
    ],
    ['    - if: Name is set', 'if: Name is set', 'where it goes is missing: write it under "to" or "then"'],
    [
      '    - if: Nmae is set\n      to: Main',
      'Nmae is set',
      'no variable is called "Nmae"; declare it under "variables"; did you mean "Name"?',
    ],
    [
      '    - if: Name is set and Plan\n      to: Main',
      '',
      /^the condition is not right: an operator is missing: is, is not, /,
    ],
    [
      '    - if: Name is basic\n      to: Main',
      'basic',
      'the condition is not right: a value is missing: a number, a variable, or a text in quotes',
    ],
    ['    - if: (Name is set\n      to: Main', '', 'the condition is not right: a ")" is missing'],
    [
      '    - choices: [{ label: A, when: Name is set or Plan is set and Name is 1 }]',
      'Name is set or Plan is set and Name is 1',
      /^mixes "and" with "or"/,
    ],
    ['    - wait: [1]', '[1]', '"wait" takes a map of options, and not a list'],
    ['    -', '', 'a step is a text or a map, such as "ask: …", and not nothing'],
    ['    - set: Name', 'Name', '"set" takes a map, by variable its value, and not "Name"'],
    ['    - !!js/function x', '!!js/function', /^is not valid YAML: Unresolved tag/],
    ['    - *a', '*a', /anchor/],
    ['    - x\n   - y', '', /^is not valid YAML: /],
  ])('is named with its place and the remedy: %s', (steps, place, message) => {
    const [found, said] = problemOf(`${head}${steps}\n`)
    expect(said).toMatch(message instanceof RegExp ? message : new RegExp(`^${escaped(message)}$`))
    expect(found.trim()).toBe(place)
  })

  it.each([
    ['groups: {}', 'the id of the flow is missing: flow: my-flow'],
    ['flow: f', '"groups" is a map, by title the steps of each group'],
    ['flow: f\ngroup: {}\ngroups: {}', /^"group" is not known here; .*; did you mean "groups"\?$/],
    ['- a', 'a flow is a map with "flow" and "groups", and not a list'],
    ['', 'a flow is a map with "flow" and "groups", and not nothing'],
    ['flow: f\nflow: g', /twice|unique/],
    ['[['.repeat(20_000), 'must not lie deeper than 64 levels'],
    [
      `a: &a [${'x,'.repeat(100)}]\nb: &b [${'*a,'.repeat(60)}]\nc: [${'*b,'.repeat(60)}]`,
      'uses anchors more than 100 times',
    ],
    [`flow: [${'a,'.repeat(250_001)}]`, 'must not hold more than 250000 values'],
    [`flow: a\ngroups:\n  A:\n${'    -\n'.repeat(250_001)}`, 'must not hold more than 250000 values'],
    [`flow: {${'?,'.repeat(250_001)}`, 'must not hold more than 250000 values'],
    ['flow: a\nflow: b', 'is there twice: flow'],
    ['flow: a\n---\nflow: b\n', 'holds more than one document'],
    [`flow: ${'x'.repeat(2_100_000)}`, 'has more than 2097152 characters'],
  ])('of the whole text is named: %.60s', (text, message) => {
    expect(problemOf(text)[1]).toMatch(message)
  })
})

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

describe('the place of a part of the definition', () => {
  const text = `flow: f
variables:
  Age: { scope: session }
groups:
  Main:
    - Hello
    - ask: How old?
      as: number
      into: Age
      min: 3
    - if: Age > 3 and Age < 5
      to: Main
    - request: https://a.example
      headers:
        a: b
`
  it.each([
    ['/id', 'f'],
    ['/variables/0/scope', 'session'],
    ['/groups/0/title', 'Main'],
    ['/groups/0/blocks/0/content/markdown', 'Hello'],
    ['/groups/0/blocks/1/content', 'How old?'],
    ['/groups/0/blocks/2/options/variableId', 'Age'],
    ['/groups/0/blocks/2/options/min', '3'],
    ['/groups/0/blocks/2/type', 'number'],
    ['/groups/0/blocks/3/items/0/content/comparisons/1/value', 'Age > 3 and Age < 5'],
    ['/groups/0/blocks/4/options/webhook/url', 'https://a.example'],
    ['/groups/0/blocks/4/options/webhook/headers/0/value', 'b'],
    ['/edges/1/to/groupId', 'Main'],
    ['/settings/nothing', 'flow'],
  ])('%s', (pointer, expected) => {
    const { start, end } = compileYamlFlow(text).spanOf(pointer)
    expect(text.slice(start, end)).toBe(expected)
  })
})
