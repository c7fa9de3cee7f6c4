import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { accountTypesOf } from '../../../src/cli/language-server/account-names.ts'
import { completeJson } from '../../../src/cli/language-server/complete.ts'
import { hoverJson } from '../../../src/cli/language-server/hover.ts'
import { namesInJson } from '../../../src/cli/language-server/json-names.ts'
import { meaningAt, type NamesOfText } from '../../../src/cli/language-server/occurrence.ts'
import { checkNewName, replacementsIn } from '../../../src/cli/language-server/rename.ts'
import { namesInTests } from '../../../src/cli/language-server/test-names.ts'

const flow = JSON.stringify(
  {
    variables: [
      { id: 'v1', name: 'Name' },
      { id: 'v2', name: 'Say "hi"' },
    ],
    events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
    groups: [
      {
        id: 'g1',
        title: 'Welcome',
        blocks: [
          { id: 'b1', type: 'text input', options: { variableId: 'v1' } },
          { id: 'b2', type: 'text', content: 'Hi {{Name}}, {{Say "hi"}} {{= 1 =}}' },
          { id: 'b3', type: 'Code', options: { content: 'setVariable("Name", 1)' } },
          { id: 'b4', type: 'openai', options: { credentialsId: 'key' } },
          { id: 'b5', type: 'Flow link', options: { flowId: 'other', groupId: 'g1' } },
          { id: 'b6', type: 'Jump', options: { groupId: 'g1', blockId: 'b1' } },
        ],
      },
    ],
    edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  },
  null,
  2,
)
const names = namesInJson(flow)

const tests = `flow: a.json
vars: { Name: Ada }
tests:
  - name: one
    steps:
      - went: [Welcome, 'Welcome', "Welcome", e1]
      - vars: { "Say \\"hi\\"": 1 }
`
const ofTests = namesInTests(tests)

/** Offset inside a text that is named by a piece of it with `|` where the cursor is. */
function cursor(text: string, marked: string): number {
  const before = marked.indexOf('|')
  const at = text.indexOf(marked.replace('|', ''))
  if (at === -1) throw new Error(`there is no ${marked}`)
  return at + before
}

function renamed(text: string, own: NamesOfText, at: number, newName: string): string {
  const { occurrence } = meaningAt(names, names, at) ?? {}
  if (!occurrence) throw new Error('nothing is named there')
  checkNewName(names, occurrence, newName)
  return replacementsIn(own, occurrence, newName)
    .sort((a, b) => b.start - a.start)
    .reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), text)
}

describe('names in a flow', () => {
  it.each([
    ['"variableId": "v|1"', 'variable', 'v1'],
    ['Hi {{Na|me}}', 'variable', 'v1'],
    ['Hi {{Name|}}', 'variable', 'v1'],
    ['{{Say \\"h|i', 'variable', 'v2'],
    ['setVariable(\\"Na|me', 'variable', 'v1'],
    ['"outgoingEdgeId": "e|1"', 'edge', 'e1'],
    ['"blockId": "b|1"', 'block', 'b1'],
    ['"title": "Wel|come"', 'group', 'g1'],
  ])('are found at %s', (marked, kind, id) => {
    expect(meaningAt(names, names, cursor(flow, marked))?.meant).toMatchObject({ kind, id })
  })

  it('are no names of another flow', () => {
    const at = flow.indexOf('"g1"', flow.indexOf('"other"')) + 2
    expect(meaningAt(names, names, at)).toBeUndefined()
  })

  it.each([['{'], ['{"groups": [{"id": "g", "blocks": [{"id": "b", "ty'], ['[]'], [''], ['{"groups": 1}']])(
    'are looked for in what is not whole: %s',
    (text) => {
      expect(() => namesInJson(text)).not.toThrow()
    },
  )
})

describe('a rename', () => {
  it('changes the name of a variable wherever it is named, as it is written there', () => {
    const after = renamed(flow, names, cursor(flow, 'Hi {{Na|me}}'), 'Full "name"')
    const expected = JSON.parse(flow)
    expected.variables[0].name = 'Full "name"'
    expected.groups[0].blocks[1].content = 'Hi {{Full "name"}}, {{Say "hi"}} {{= 1 =}}'
    expected.groups[0].blocks[2].options.content = 'setVariable("Full \\"name\\"", 1)'
    expect(JSON.parse(after)).toEqual(expected)
  })

  it('changes the id of a group, and not the group of another flow', () => {
    const after = JSON.parse(renamed(flow, names, cursor(flow, '"id": "g|1"'), 'first'))
    expect(after.groups[0].id).toBe('first')
    expect(after.edges[0].to.groupId).toBe('first')
    expect(after.groups[0].blocks[5].options.groupId).toBe('first')
    expect(after.groups[0].blocks[4].options.groupId).toBe('g1')
  })

  it('changes the tests', () => {
    const title = renamed(tests, ofTests, cursor(flow, '"title": "Wel|come"'), "Ann's: hello")
    expect(title).toContain(`went: ["Ann's: hello", 'Ann''s: hello', "Ann's: hello", e1]`)
    expect(renamed(tests, ofTests, cursor(flow, '{{Say \\"h|i'), 'Greeting')).toContain(
      'vars: { "Greeting": 1 }',
    )
    expect(renamed(tests, ofTests, cursor(flow, '"name": "Na|me"'), 'Who')).toContain('vars: { Who: Ada }')
  })

  it.each([
    ['Say "hi"', 'Another variable'],
    ['a}}b', 'holds no braces'],
    [' ', 'holds something'],
  ])('refuses %s', (name, reason) => {
    expect(() => renamed(flow, names, cursor(flow, 'Hi {{Na|me}}'), name)).toThrow(reason)
  })
})

describe('completion', () => {
  const accounts = [
    { id: 'key', type: 'openai' },
    { id: 'mail', type: 'smtp' },
  ]
  const at = (marked: string, text = flow) =>
    completeJson(text, cursor(text, marked), {
      ...{ names, accounts },
      accountTypesOf: (type) => accountTypesOf(type, blockRegistry),
    }).map(({ text: put }) => put)

  it.each([
    ['"variableId": "v|1"', ['"v1"', '"v2"']],
    ['"groupId": "|g1"', ['"g1"']],
    ['"credentialsId": "|key"', ['"key"']],
    ['Hi {{|Name}}', ['Name', 'Say \\"hi\\"']],
    ['"type": "|text"', []],
  ])('at %s', (marked, expected) => {
    expect(at(marked)).toEqual(expected)
  })

  it('closes a placeholder, and writes a value where there is none yet', () => {
    const typing = flow.replace('Hi {{Name}}', 'Hi {{').replace('"variableId": "v1"', '"variableId": ')
    expect(at('Hi {{|', typing)).toEqual(['Name}}', 'Say \\"hi\\"}}'])
    expect(at('"variableId": |', typing)).toEqual(['"v1"', '"v2"'])
  })
})

describe('hovering', () => {
  const describeBlock = (type: string) => `does ${type}`

  it('tells what a block does, and what a name means', () => {
    const hover = (marked: string) => hoverJson(flow, cursor(flow, marked), { names, describeBlock })
    expect(hover('"type": "Ju|mp"')).toBe('does Jump')
    expect(hover('Hi {{Na|me}}')).toBe('**variable Name** (`v1`), named 3 times in this flow')
    expect(hover('"variab|les"')).toBeUndefined()
  })
})
