import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'
import { writeYaml } from '../../../src/tooling/write-yaml/write-yaml.ts'

function byJson(text: string): string {
  const { definition, problems } = compileYamlFlow(text)
  expect(problems).toEqual([])
  return writeYaml(readDefinition(JSON.parse(JSON.stringify(definition))))
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const withoutComments = (text: string) => text.replace(/^#.*\n/gm, '').replace(/ +# .*$/gm, '')

const examplesIn = (path: string) =>
  [...read(path).matchAll(/^```yaml\n(flow: \S+\n(?:(?!^tests:).)*?)^```$/gms)].map(([, text = '']) => text)

describe('a text that a person has written comes back by way of JSON as it was', () => {
  const texts = [
    ...examplesIn('docs/write-a-flow.md'),
    ...examplesIn('docs/yaml.md'),
    read('template/flows/table.flow.yaml'),
  ].map((text) => [/^flow: (.*)$/m.exec(text)?.[1], withoutComments(text)] as const)

  it('of the documents and the template', () => expect(texts.length).toBeGreaterThan(11))

  it.each(texts)('%s', (_, text) => expect(byJson(text)).toBe(text))
})

const flowOf = (steps: string, more = '') =>
  `flow: f\nvariables: [ Name, Age ]\n\ngroups:\n  Start:\n${steps.replace(/^(?=.)/gm, '    ')}${more}`

const other = '\n  Other:\n    - Other.\n'

describe('steps of a way come back as steps', () => {
  it.each([
    ['of a condition', '- if: Age > 3\n  then:\n    - Big.\n- Bye.\n'],
    [
      'of a condition and of what else',
      '- if: Age > 3\n  then:\n    - Big.\n  else:\n    - Small.\n- Bye.\n',
    ],
    ['at the end of a group', '- if: Age > 3\n  then:\n    - Big.\n  else:\n    - Small.\n'],
    ['that end there', '- if: Age > 3\n  then:\n    - Big.\n    - end:\n- Bye.\n'],
    ['that leave', '- if: Age > 3\n  then:\n    - Big.\n    - go: Other\n- Bye.\n', other],
    ['that jump', '- if: Age > 3\n  then:\n    - Big.\n    - jump: Other\n- Bye.\n', other],
    ['that go on where the group does', '- if: Age > 3\n  then:\n    - Big.\n- go: Other\n', other],
    [
      'of cases',
      '- cases:\n    - if: Age > 9\n      then:\n        - Nine.\n    - { if: Age > 3, to: Other }\n  else:\n    - None.\n- Bye.\n',
      other,
    ],
    [
      'of choices',
      '- ask: Which?\n  choices:\n    - One:\n        - You said one.\n    - Two\n    - label: Three\n      then:\n        - You said three.\n      when: Age > 3\n- Bye.\n',
    ],
    [
      'of choices of a step that goes elsewhere',
      '- ask: Which?\n  to: Start > later\n  choices:\n    - One:\n        - You said one.\n    - Two\n- Bye.\n- say: Later.\n  id: later\n',
    ],
    ['of a draw', '- split: 40\n  a:\n    - A.\n  b:\n    - B.\n- Bye.\n'],
    ['of a handoff', '- handoff: Sales\n  else:\n    - Nobody is there.\n- Bye.\n'],
    [
      'of buttons of cards',
      '- ask: Which?\n  as: cards\n  choices:\n    - label: Red\n      buttons:\n        - Take:\n            - Taken.\n        - Leave\n- Bye.\n',
    ],
    [
      'inside each other',
      '- if: Age > 3\n  then:\n    - ask: Sure?\n      choices:\n        - Sure:\n            - if: Age > 9\n              then:\n                - Nine.\n            - Fine.\n        - No\n    - So.\n- Bye.\n',
    ],
    [
      'that end inside others',
      '- if: Age > 3\n  then:\n    - if: Age > 9\n      then:\n        - Nine.\n        - end:\n      else:\n        - Some.\n- Bye.\n',
    ],
    [
      'that end with an inner condition',
      '- if: Age > 3\n  then:\n    - if: Age > 9\n      then:\n        - Nine.\n    - end:\n- Bye.\n',
    ],
    [
      'that ask, at the end',
      '- if: Age is empty\n  then:\n    - ask: How old?\n      as: number\n      into: Age\n- Bye.\n',
    ],
  ])('%s', (_, steps, more = '') => {
    const text = flowOf(steps, more)
    expect(byJson(text)).toBe(text)
  })

  it.each([
    ['something else leads there', '- if: Age > 3\n  then:\n    - Big.\n- go: Start › Age > 3\n'],
    [
      'something else leads inside',
      '- if: Age > 3\n  then:\n    - Big.\n    - { say: Bigger., id: x }\n- go: Start › Age > 3 > x\n',
    ],
  ])('but where %s, which then needs its title', (_, steps) => {
    const { definition } = compileYamlFlow(flowOf(steps.replace(/- go.*\n/, '')))
    const { groups, edges, events, ...rest } = definition as Record<
      'groups' | 'edges' | 'events',
      { id: string }[]
    >
    const [start] = events
    const to = { groupId: groups[1]?.id, ...(steps.includes('> x') && { blockId: 'x' }) }
    const command = { id: 'c', type: 'command', options: { command: 'big' }, outgoingEdgeId: 'e' }
    const led = { ...rest, groups, events: [start, command], edges: [...edges, { id: 'e', to }] }
    const text = writeYaml(readDefinition(led))
    expect(text).toContain('  Start › Age › 3:\n')
    expect(byJson(text)).toBe(text)
  })
})
