import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { accountTypesOf } from '../../../src/cli/language-server/account-names.ts'
import { completeYaml } from '../../../src/cli/language-server/complete-yaml.ts'
import { blockDescriptions, hoverYaml } from '../../../src/cli/language-server/hover.ts'
import { meaningAt } from '../../../src/cli/language-server/occurrence.ts'
import { checkNewName, replacementsIn } from '../../../src/cli/language-server/rename.ts'
import { namesInTests } from '../../../src/cli/language-server/test-names.ts'
import { namesInYaml } from '../../../src/cli/language-server/yaml-names.ts'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'

const flow = `flow: table
variables: { Name: , People: 2, "Zu Hause": , mail: { id: v9, name: E-mail } }
start: Welcome
groups:
  Welcome:
    - Hello {{Name}}
    - ask: "Your name, {{Name}}?"
      into: Name
    - ask: How many?
      as: number
      into: 'People'
    - if: People > 12 or Name is "party"
      to: Large parties
    - set: { People: "{{People}} + 1", mail: a }
    - ask: Where?
      choices:
        - Inside
        - Outside: "Large parties"
        - { label: Here, to: Welcome > hello }
    - code: setVariable("Name", 1)
    - openai:
        credentialsId: team
    - go: Large parties

  Large parties:
    - say: Write to {{E-mail}}, {{Zu Hause}}.
      id: hello
    - jump: Welcome
`
const names = namesInYaml(flow)

const tests = `flow: table.flow.yaml
vars: { Name: Ada, E-mail: x }
tests:
  - name: one
    steps: [{ went: [Welcome, Large parties] }]
`

/** Offset inside a text that is named by a piece of it with \`|\` where the cursor is. */
function cursor(text: string, marked: string): number {
  const at = text.indexOf(marked.replace('|', ''))
  if (at === -1) throw new Error(`there is no ${marked}`)
  return at + marked.indexOf('|')
}

function renamed(text: string, marked: string, newName: string): string {
  const { occurrence } = meaningAt(names, names, cursor(flow, marked)) ?? {}
  if (!occurrence) throw new Error('nothing is named there')
  checkNewName(names, occurrence, newName)
  const own = text === flow ? names : namesInTests(text)
  return replacementsIn(own, occurrence, newName)
    .sort((a, b) => b.start - a.start)
    .reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), text)
}

describe('names in a flow in YAML', () => {
  it.each([
    ['Hello {{Na|me}}', 'variable', 'Name'],
    ['into: Na|me', 'variable', 'Name'],
    ["into: 'Peo|ple'", 'variable', 'People'],
    ['if: Peo|ple >', 'variable', 'People'],
    ['or Na|me is', 'variable', 'Name'],
    ['set: { Peo|ple', 'variable', 'People'],
    ['mail|: a }', 'variable', 'mail'],
    ['{{E-|mail}}', 'variable', 'v9'],
    ['{{Zu |Hause}}', 'variable', 'Zu Hause'],
    ['setVariable("Na|me', 'variable', 'Name'],
    ['start: Wel|come', 'group', 'welcome'],
    ['to: Large| parties', 'group', 'large-parties'],
    ['Outside: "Lar|ge parties"', 'group', 'large-parties'],
    ['to: Wel|come > hello', 'group', 'welcome'],
    ['go: Large| parties', 'group', 'large-parties'],
    ['jump: Wel|come', 'group', 'welcome'],
    ['  Large par|ties:', 'group', 'large-parties'],
  ])('are found at %s', (marked, kind, id) => {
    expect(meaningAt(names, names, cursor(flow, marked))?.meant).toMatchObject({ kind, id })
  })

  it('lead to the key by which they are declared', () => {
    const { meant } = meaningAt(names, names, cursor(flow, 'jump: Wel|come')) ?? {}
    expect(flow.slice(meant?.span.start, meant?.span.end)).toBe('Welcome')
    expect(flow.slice(0, meant?.span.start)).toMatch(/groups:\n {2}$/)
  })

  it.each([[''], ['- a'], ['flow: a\ngroups: {{'], ['flow: &a a\ngroups: { A: [*a, { go: *a }] }']])(
    'are looked for in what is not whole: %j',
    (text) => {
      expect(() => namesInYaml(text)).not.toThrow()
    },
  )
})

describe('a rename in YAML', () => {
  it('changes a variable in options, conditions, texts, code and tests', () => {
    const after = renamed(flow, 'into: Na|me', 'Full name')
    expect(after).not.toMatch(/\bName\b/)
    expect(after.match(/Full name/g)).toHaveLength(6)
    expect(after).toContain('if: People > 12 or Full name is "party"')
    expect(compileYamlFlow(after).problems).toEqual([])
    expect(renamed(tests, 'into: Na|me', 'Full name')).toContain('vars: { Full name: Ada, E-mail: x }')
  })

  it('changes a name that has a key of its own, and the key apart from it', () => {
    expect(renamed(flow, '{{E-|mail}}', 'Post')).toContain('{{Post}}')
    expect(renamed(flow, '{{E-|mail}}', 'Post')).toContain('mail: { id: v9, name: Post }')
    const byKey = renamed(flow, 'mail|: a }', 'letter')
    expect(byKey).toContain('letter: { id: v9, name: E-mail }')
    expect(byKey).toContain('letter: a }')
    expect(compileYamlFlow(byKey).problems).toEqual([])
  })

  it('changes a group in its key, every way and its tests', () => {
    const after = renamed(flow, 'go: Large| parties', 'Crowds: big')
    expect(after).not.toContain('Large parties')
    expect(after).toContain('  "Crowds: big":\n')
    expect(after).toContain('- Outside: "Crowds: big"')
    expect(compileYamlFlow(after).problems).toEqual([])
    const { tests: all } = parse(renamed(tests, 'go: Large| parties', 'Crowds: big'))
    expect(all[0].steps[0].went).toEqual(['Welcome', 'Crowds: big'])
  })

  it.each([
    ['into: Na|me', 'a: b', 'letters, digits'],
    ['start: Wel|come', 'a "b"', 'letters, digits'],
    ['into: Na|me', 'People', 'Another variable'],
    ['into: Na|me', 'a}}', 'braces'],
  ])('of %s refuses %j', (marked, name, reason) => {
    expect(() => renamed(flow, marked, name)).toThrow(reason)
  })
})

describe('completion in YAML', () => {
  const accounts = [
    { id: 'team', type: 'openai' },
    { id: 'mails', type: 'smtp' },
  ]
  const variables = ['Name', 'People', 'Zu Hause', 'E-mail']
  const groups = ['Welcome', 'Large parties']
  function completed(marked: string): { labels: string[]; first: string } {
    const offset = marked.indexOf('|')
    const text = marked.replace('|', '')
    const made = completeYaml(text, offset, {
      ...{ names, accounts },
      accountTypesOf: (type) => accountTypesOf(type, blockRegistry),
    })
    const [first] = made
    const [line = ''] = first
      ? (text.slice(0, first.start) + first.text + text.slice(first.end)).split('\n').slice(-1)
      : []
    return { labels: [...new Set(made.map(({ label }) => label))], first: line }
  }

  it.each([
    ['- Hello {{|', variables, '- Hello {{Name}}'],
    ['- Hello {{Na|}}', variables, '- Hello {{Name}}'],
    ['    into: |', variables, '    into: Name'],
    ['    into: Nam|', variables, '    into: Name'],
    ['    - if: |', variables, '    - if: Name'],
    ['    - if: People > 1 and Na|', variables, '    - if: People > 1 and Name'],
    ['    - if: Name is "x" or Na|', variables, '    - if: Name is "x" or Name'],
    ['    - set: { Na|', variables, '    - set: { Name'],
    ['    - set:\n        Na|', variables, '        Name'],
    ['    - go: |', groups, '    - go: Welcome'],
    ['      to: Wel|', groups, '      to: Welcome'],
    ['    - ask: Where?\n      choices:\n        - Outside: W|', groups, '        - Outside: Welcome'],
    ['    - ask: Na|', [], ''],
    ['    - Name|', [], ''],
  ])('at %j', (marked, labels, first) => {
    expect(completed(marked)).toEqual({ labels, first })
  })

  it('knows the accounts that a block can call with', () => {
    expect(completed(flow.replace('credentialsId: team', 'credentialsId: |')).labels).toEqual(['team'])
  })
})

describe('hover in YAML', () => {
  const page = `| \`number input\` | asks for a number | x | [Inputs](inputs.md) |
| \`Condition\` | goes one of two ways | x | [Logic](logic.md) |
`
  const hover = (marked: string) =>
    hoverYaml(flow, cursor(flow, marked), { names, describeBlock: blockDescriptions(page) })

  it.each([
    ['as: num|ber', /^\*\*number input\*\*: asks for a number/],
    ['- i|f: People', /^\*\*Condition\*\*/],
    ['{{Na|me}}', /^\*\*variable Name\*\*, named 5 times in this flow/],
    ['go: Large| parties', /^\*\*group Large parties\*\* \(`large-parties`\), named 3 times/],
  ])('tells at %s', (marked, said) => {
    expect(hover(marked)).toMatch(said)
  })
})
