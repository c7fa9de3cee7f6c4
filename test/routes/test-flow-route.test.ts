import { describe, expect, it } from 'vitest'
import { createYamlReader } from '../../src/adapters/yaml-reader/yaml-reader.ts'
import { createFlowTests } from '../../src/tooling/flow-tests/test-draft.ts'
import { bubble, edge, flowLink, group, leaving, textInput, variable } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { createTestChat, type TestChatOptions } from '../support/start.ts'

interface Given extends TestChatOptions {
  readonly flows?: readonly Json[]
  readonly previewToken?: string
  readonly limitMs?: number
}

async function open({ flows = [], previewToken, limitMs = 10_000, ...options }: Given = {}) {
  const chat = createTestChat(flows, options)
  const flowTests = createFlowTests({ chat, yaml: createYamlReader(), limitMs })
  const { app } = await buildTestApp({ flowTests, config: { previewToken } })
  return async (payload: unknown, headers: Record<string, string> = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/flows/test',
      payload: payload as object,
      headers,
    })
    return { status: response.statusCode, body: response.json() }
  }
}

const flow = wholeDefinition({
  blocks: [bubble('b1', 'Your name?'), textInput('i1', 'vName'), bubble('b2', 'Hello {{Name}}')],
  variables: [variable('Name')],
})

const passing = { name: 'greets', steps: [{ sees: 'Your name?' }, { says: 'Ada' }, { sees: 'Hello Ada' }] }
const failing = { name: 'greets wrongly', tags: ['wip'], steps: [{ sees: 'What?' }] }

const loop = wholeDefinition({
  groups: [group('g1', leaving(textInput('i1', 'vName'), 'e'))],
  edges: [edge('e', 'g1')],
  variables: [variable('Name')],
})

describe('POST /v1/flows/test', () => {
  it('says what passed, and what failed where', async () => {
    const { status, body } = await (await open())({ flow, tests: { tests: [passing, failing] } })
    expect([status, body]).toEqual([
      200,
      {
        tests: [
          {
            name: 'greets',
            pointer: '/tests/0',
            outcome: 'passed',
            failures: [],
            notes: [],
            ms: expect.any(Number),
          },
          {
            name: 'greets wrongly',
            pointer: '/tests/1',
            outcome: 'failed',
            failures: [
              {
                pointer: '/tests/1/steps/0/sees',
                message: 'sees: expected "What?", saw "Your name?"',
                way: [
                  {
                    blockId: 'b1',
                    blockType: 'text',
                    pointer: '/groups/0/blocks/0',
                    went: ['next in group'],
                  },
                  { blockId: 'i1', blockType: 'text input', pointer: '/groups/0/blocks/1', went: ['waits'] },
                ],
              },
            ],
            notes: [],
            ms: expect.any(Number),
          },
        ],
        unusedMocks: [],
        coverage: {
          groups: { total: 1, hit: 1 },
          blocks: { total: 3, hit: 3 },
          edges: { total: 1, hit: 1 },
          items: { total: 0, hit: 0 },
          events: { total: 0, hit: 0 },
          refusals: { total: 0, hit: 0 },
          failures: { total: 0, hit: 0 },
        },
      },
    ])
  })

  it('names lines of a text of YAML', async () => {
    const tests =
      'http: [{ reply: { json: 1 } }]\ntests:\n  - name: a test\n    steps:\n      - sees: What?\n'
    const { body } = await (await open())({ flow, tests })
    expect(body.tests[0]).toMatchObject({
      place: '3:5',
      failures: [{ pointer: '/tests/0/steps/0/sees', place: '5:15' }],
    })
    expect(body.unusedMocks).toEqual(['/http/0'])
  })

  it('runs what it is asked for', async () => {
    const run = await open()
    const tests = { tests: [failing, passing] }
    const names = ({ body }: { body: { tests: { name: string; outcome: string }[] } }) =>
      body.tests.map(({ name, outcome }) => `${name}: ${outcome}`)
    expect(names(await run({ flow, tests, only: 'wip' }))).toEqual(['greets wrongly: failed'])
    expect(names(await run({ flow, tests, bail: true }))).toEqual([
      'greets wrongly: failed',
      'greets: not run',
    ])
    const first = { name: 'a part', steps: [{ says: 'Ada' }, { sees: [] }] }
    expect(names(await run({ flow, tests: { tests: [first] }, loose: true }))).toEqual(['a part: passed'])
  })

  it('goes both ways at a condition that looks at first values', async () => {
    const comparisons = [{ id: 'c', variableId: 'vName', comparisonOperator: 'Equal to', value: 'Ada' }]
    const item = { id: 'it', content: { comparisons }, outgoingEdgeId: 'e' }
    const deciding = wholeDefinition({
      groups: [
        group('g1', { id: 'if', type: 'Condition', items: [item] }, bubble('b1', 'No')),
        group('g2', bubble('b2', 'Yes')),
      ],
      edges: [edge('e', 'g2')],
      variables: [variable('Name')],
    })
    const explore = { vars: { Name: ['Ada', 'Eve'] } }
    const { body } = await (await open())({ flow: deciding, tests: { tests: [{ name: 'all', explore }] } })
    expect(body.coverage.blocks).toEqual({ total: 3, hit: 3 })
  })

  it('ends when the time for all of it is over', async () => {
    let time = 0
    const elapsed = () => {
      time += 1
      return time
    }
    const world = createTestChat()
    const run = await open({ limitMs: 500, ports: { ...world.ports, elapsed } })
    const long = { name: 'long', steps: Array.from({ length: 1000 }, () => ({ says: 'Ada' })) }
    const { body } = await run({ flow: loop, tests: { tests: [long, passing] } })
    expect(body.tests).toMatchObject([
      { outcome: 'failed', failures: [{ message: 'the time for all tests together is over' }] },
      { outcome: 'not run' },
    ])
    const names = Array.from({ length: 20 }, (_, nth) => `Name ${nth}`)
    const every = { name: 'every way', explore: { says: { 'text input': names } } }
    const explored = await run({ flow: loop, tests: { tests: [every] } })
    expect(explored.body.tests[0].notes[0]).toMatch(/^\d+ ways were walked; there are more$/)
  })

  it('gives up a pattern that takes long, and names one that is none', async () => {
    const shown = wholeDefinition({ blocks: [bubble('b1', 'a'.repeat(10_000))] })
    const step = (sees: string) => ({ name: sees.slice(0, 3), steps: [{ sees }] })
    const tests = { tests: [step('/(a{1,30}){1,30}b/'), step('/(/')] }
    const { body } = await (await open())({ flow: shown, tests })
    expect(body.tests.map(({ failures }: { failures: Json[] }) => failures[0]?.['message'])).toEqual([
      expect.stringContaining('it takes too long to compare'),
      expect.stringMatching(/^sees: \/\(\/ can not be searched for: /),
    ])
  })

  it('cuts what a flow makes long', async () => {
    const shown = wholeDefinition({ blocks: [bubble('b1', 'a'.repeat(60_000))] })
    const { body } = await (await open())({ flow: shown, tests: { tests: [failing] } })
    expect(body.tests[0].failures[0].message.length).toBeLessThan(2100)
  })

  it('follows links to published flows with the preview token alone', async () => {
    const published = wholeDefinition({ id: 'faq', blocks: [bubble('b9', 'Answers')] })
    const linking = wholeDefinition({ blocks: [flowLink('l', 'faq')] })
    const tests = { tests: [{ name: 'links', steps: [{ sees: 'Answers' }] }] }
    const outcomes = async (given: Given, headers?: Record<string, string>) => {
      const { status, body } = await (await open(given))({ flow: linking, tests }, headers)
      return body.tests?.[0].outcome ?? status
    }
    const flows = [published]
    expect(await outcomes({ flows })).toBe('failed')
    expect(await outcomes({ flows, previewToken: 'secret' })).toBe(401)
    expect(await outcomes({ flows, previewToken: 'secret' }, { authorization: 'Bearer secret' })).toBe(
      'passed',
    )
  })

  it.each<[name: string, body: Json, pointer: string, message: RegExp]>([
    ['no tests', { flow }, '', /'tests'/],
    ['no flow', { tests: { tests: [passing] } }, '', /'flow'/],
    [
      'a flow that is none',
      { flow: { id: 'a', groups: 1 }, tests: { tests: [passing] } },
      '/flow/groups',
      /array/,
    ],
    [
      'an unknown step',
      { flow, tests: { tests: [{ name: 'a', steps: [{ seees: 'a' }] }] } },
      '/tests/tests/0/steps/0/seees',
      /is not known here; known are: sees/,
    ],
    [
      'an unknown step of a text',
      { flow, tests: 'tests: [{ name: a, steps: [{ seees: a }] }]' },
      '/tests/tests/0/steps/0/seees',
      /is not known here; .* \(line 1:37\)$/,
    ],
    ['a broken text', { flow, tests: 'tests: [' }, '/tests', /^is not valid YAML: .* \(line 1:9\)$/],
    ['a long text', { flow, tests: ' '.repeat(200_000) }, '/tests', /131072/],
  ])('refuses %s with its place', async (_, payload, pointer, message) => {
    const { status, body } = await (await open())(payload)
    expect([status, body.errors[0]]).toEqual([400, { pointer, message: expect.stringMatching(message) }])
  })

  it('refuses mocks that nest beyond all bounds', async () => {
    const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`
    const tests = { http: [{ reply: { json: 'deep' } }], tests: [passing] }
    const text = JSON.stringify({ flow, tests }).replace('"deep"', deep)
    const { status, body } = await (await open())(text, { 'content-type': 'application/json' })
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/lists and objects inside each other$/),
    ])
  })
})
