import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDefinition } from '../../../src/definition/parse-definition.ts'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { stepKeys } from '../../../src/definition/yaml-form/build-step.ts'
import { writeYaml } from '../../../src/tooling/write-yaml/write-yaml.ts'
import { inYaml } from '../lint/typical-mistakes/in-yaml.ts'
import { openYaml } from './open-yaml.ts'

const root = join(import.meta.dirname, '../../..')
const schema = 'flow-yaml.schema.json'
const samples = ['flows', 'template/flows']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((name) => name.endsWith('.json'))

const problemsOf = (text: string) => openYaml(text, schema).problems()

/** A flow whose only group has these steps. */
const flowWith = (steps: string) =>
  `flow: f\nvariables: [Name]\ngroups:\n  Welcome:\n    - Hi\n${steps.replace(/^/gm, '    ')}\n`

describe('the schema of flows in YAML, in the YAML support of editors', () => {
  it.each(samples)('finds nothing wrong with %s, once it is YAML', async (name) => {
    const flow = readDefinition(parseDefinition(readFileSync(join(root, name), 'utf8')))
    expect(await openYaml(writeYaml(flow), schema).problems()).toEqual([])
    const withIds = writeYaml(flow, { keepsIds: true })
    expect(await openYaml(withIds, schema).problems()).toEqual([])
  })

  it('finds nothing wrong with the example of the page', async () => {
    const page = readFileSync(join(root, 'docs/yaml.md'), 'utf8')
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
    expect(await problemsOf(example)).toEqual([])
  })

  it.each([
    '- set: { Name: , Other: [a, b], More: { type: Today } }',
    '- { if: Name is set, then: [Hello, { end: }], else: { group: Welcome, step: x } }',
    '- { cases: [{ if: Name is "a", to: Welcome }], else: Welcome }',
    '- { ask: How many?, as: number, min: 1, max: "{{Most}}", into: Name }',
    '- { ask: 12, choices: [1, true, Yes: Welcome, No: [Bye], { label: On, when: Name is set }] }',
    '- { as: cards, choices: [{ label: A, imageUrl: "https://a.example", buttons: [Take: Welcome] }] }',
    '- { type: Condition, items: [{ content: { comparisons: [{ value: "1" }] }, to: Welcome }] }',
    '- { type: text, content: Hello }',
    '- { text: { richText: [] } }',
    '- { video: https://a.example/v.mp4, type: url }',
    '- { request: https://a.example, method: POST, headers: { a: 1 }, body: { a: true }, into: { Name: data.a } }',
    '- { split: 30, a: Welcome, b: [Hello] }',
    '- { handoff: Support, else: Welcome, deadline: PT10M }',
    '- { wait: 2, shouldPause: true }',
    '- wait: { secondsToWaitFor: 2 }',
    '- { return: }',
    '- { jump: Welcome > x, lint: { ignore: [loop] } }',
    '- { openai: { model: x }, into: { Name: Message content } }',
    '- { acme/slack message: { channel: a } }',
    '- { mail: { recipients: [a@b.example] } }',
  ])('takes %s', async (steps) => {
    expect(await problemsOf(flowWith(steps))).toEqual([])
  })

  it.each([
    ['- { wait: 2, until: 3, secnds: 3 }', /secnds/],
    ['- { ask: Hi, as: nmber }', /Value is not accepted/],
    ['- { ask: Hi, minn: 3 }', /minn/],
    ['- { ask: Hi, choices: [{ label: A, wen: Name is set }] }', /wen/],
    ['- { if: Name is set }', /"?(to|then)"?|Matches/],
    ['- { say: [a] }', /Incorrect type/],
    ['- { go: [a] }', /Incorrect type/],
    ['- { Text: Hello }', /Text/],
    ['- ', /Incorrect type/],
  ])('finds the mistake in %s, once', async (steps, message) => {
    expect(await problemsOf(flowWith(steps))).toEqual([expect.stringMatching(message)])
  })

  it('marks each typical mistake that needs no names, no code and no look at the whole flow', async () => {
    const seen: string[] = []
    for (const [name, { text, line }] of Object.entries(inYaml)) {
      const lines = text.split('\n')
      const marked = (await openYaml(text, schema).problemLines()).map((at) => lines[at] ?? '')
      if (marked.some((one) => one.includes(line))) seen.push(name)
      else expect([name, marked]).toEqual([name, []])
    }
    expect(seen).toEqual([
      'a comma too many',
      'a type in other capitals',
      'a list where a text belongs',
      'choices of another kind',
      'a text where a number belongs',
      'a key that is called otherwise',
      'a key with a letter missing',
      'an option beside its place',
      'a variable beside its place',
      'a listener that is to call',
      'a version that is none',
      'a condition that asks nothing',
      'the groups under another key',
      'a duration in words',
      'an event that is none',
      'rows as a map',
    ])
  })

  it('proposes every kind of step, and the options of the one that stands there', async () => {
    const steps = await openYaml(flowWith('- ¦'), schema).completions()
    expect(steps).toEqual(expect.arrayContaining([...stepKeys]))
    expect(steps).not.toContain('shouldPause')
    const options = await openYaml(flowWith('- ask: Hi\n  as: number\n  ¦'), schema).completions()
    expect(options).toEqual(expect.arrayContaining(['min', 'max', 'into']))
    expect(options).not.toContain('wait')
    expect(options).not.toContain('isLong')
  })

  it('explains keys', async () => {
    expect(await openYaml(flowWith('- as: number\n  mi¦n: 1'), schema).hover()).toContain('number')
    expect(await openYaml(flowWith('- se¦t: { Name: 1 }'), schema).hover()).toContain('expression')
  })
})
