import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import { ProgramCache } from '../../src/conversations/session/program-cache.ts'
import type { Program } from '../../src/engine/model/program.ts'
import { buildResultTable } from '../../src/results/result-table.ts'
import type { Result } from '../../src/stores/result-store.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { earlierResult } from '../fixtures/starting.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1024 * 1024 })

const programOf = (flow: Json): Program => programs.prepare(wholeDefinition(flow)).program

/** The table without the four facts that begin each line. */
const beyondFacts = (results: readonly Partial<Result>[], flow?: Json) =>
  buildResultTable(results.map(earlierResult), flow && programOf(flow)).map((row) => row.slice(4))

const answer = (blockId: string, content: string) => ({ blockId, content })
const held = (name: string, value: string | string[]) => ({ id: `v${name}`, name, value })

describe('the table of results', () => {
  it('begins with what is known of every result', () => {
    const result = earlierResult({ createdAt: Date.parse('2026-11-21T09:17:01.712Z'), hasStarted: true })
    expect(buildResultTable([result], undefined)).toEqual([
      ['id', 'createdAt', 'hasStarted', 'isCompleted'],
      ['earlier', '2026-11-21T09:17:01.712Z', 'true', 'false'],
    ])
  })

  it('has headers alone when there are no results', () => {
    const flow = { blocks: [textInput('b1', 'vName')], variables: [variable('Name')] }
    expect(beyondFacts([], flow)).toEqual([['Name']])
  })

  it('has a column for each input and each variable of the flow, whatever the results hold', () => {
    const flow = {
      groups: [
        { id: 'g1', title: 'About you', blocks: [bubble('b0'), textInput('b1', 'vName'), textInput('b2')] },
        { id: 'g2', title: '', blocks: [textInput('b3')] },
      ],
      variables: [variable('Name'), variable('Score'), variable('Code', { isSessionVariable: true })],
    }
    const results = [
      {
        answers: [answer('b3', 'x'), answer('b1', 'Ada')],
        variables: [held('Score', '7'), held('Name', 'Ada')],
      },
      { answers: [answer('b2', 'blue')] },
    ]
    expect(beyondFacts(results, flow)).toEqual([
      ['Name', 'About you', 'b3', 'Score'],
      ['Ada', '', 'x', '7'],
      ['', 'blue', '', ''],
    ])
  })

  it.each<[string, Result['answers'], Result['variables'], string]>([
    ['the answer, once', [answer('b1', 'Ada')], [held('Name', 'Ada')], 'Ada'],
    ['the answers to all inputs that save in it', [answer('b2', 'A'), answer('b1', 'B')], [], 'A\nB'],
    ['what the flow made of an answer, too', [answer('b1', 'Ada')], [held('Name', 'ADA')], 'Ada\nADA'],
    ['several choices once', [answer('b1', 'a, b')], [held('Name', ['a', 'b'])], 'a, b'],
    ['its value where nothing was answered', [], [held('Name', 'linked')], 'linked'],
    ['the answer where it holds nothing', [answer('b1', 'Ada')], [held('Name', '')], 'Ada'],
    [
      'attached files',
      [{ ...answer('b1', 'see'), attachedFileUrls: ['https://a.example/1'] }],
      [held('Name', 'see')],
      'see\nhttps://a.example/1',
    ],
  ])(
    'has one column for a variable and the inputs that save in it: %s',
    (_name, answers, variables, cell) => {
      const flow = {
        blocks: [textInput('b1', 'vName'), textInput('b2', 'vName')],
        variables: [variable('Name')],
      }
      expect(beyondFacts([{ answers, variables }], flow)).toEqual([['Name'], [cell]])
    },
  )

  it('has a column for the answers that are saved in a session variable', () => {
    const flow = {
      blocks: [textInput('b1', 'vCode')],
      variables: [variable('Code', { isSessionVariable: true })],
    }
    expect(beyondFacts([{ answers: [answer('b1', 'x')] }], flow)).toEqual([['Code'], ['x']])
  })

  it('puts what the flow does not know behind that', () => {
    const results = [
      { answers: [answer('old', '1')], variables: [held('Gone', 'x')] },
      { answers: [answer('linked', '2'), answer('old', '3')] },
    ]
    expect(beyondFacts(results, { blocks: [textInput('b1')], variables: [variable('Name')] })).toEqual([
      ['Group 1', 'Name', 'old', 'linked', 'Gone'],
      ['', '', '1', '', 'x'],
      ['', '', '3', '2', ''],
    ])
  })

  it('uses ids of blocks when the flow is gone', () => {
    const results = [{ answers: [answer('b1', 'x')], variables: [held('Name', 'Ada')] }]
    expect(beyondFacts(results)).toEqual([
      ['b1', 'Name'],
      ['x', 'Ada'],
    ])
  })

  it('has no two headers of one name', () => {
    const flow = {
      groups: [
        { id: 'g1', title: 'id', blocks: [textInput('b1'), textInput('b2')] },
        { id: 'g2', title: 'id (1)', blocks: [textInput('b3')] },
      ],
      variables: [variable('id'), variable('id (variable)')],
    }
    const [headers] = buildResultTable([], programOf(flow))
    expect(headers).toEqual([
      'id',
      'createdAt',
      'hasStarted',
      'isCompleted',
      'id (1)',
      'id (2)',
      'id (1) (1)',
      'id (variable)',
      'id (variable) (variable)',
    ])
    expect(new Set(headers).size).toBe(headers?.length)
  })

  it('copes with thousands of headers of one name', () => {
    const blocks = Array.from({ length: 5000 }, (_, number) => textInput(`b${number}`))
    const [headers = []] = buildResultTable([], programOf({ blocks }))
    expect(headers.at(-1)).toBe('Group 1 (4999)')
    expect(new Set(headers).size).toBe(5004)
  })

  it('puts all answers to a block, and the files, into one cell', () => {
    const attachedFileUrls = ['https://a.example/1', 'https://a.example/2']
    const answers = [answer('b1', 'one'), { ...answer('b1', 'two'), attachedFileUrls }, answer('b1', '')]
    expect(beyondFacts([{ answers }])[1]).toEqual(['one\ntwo\nhttps://a.example/1\nhttps://a.example/2\n'])
  })

  it('writes a list as JSON, and the first value of namesakes', () => {
    const variables = [
      held('Tags', ['a', 'b']),
      { id: 'v2', name: 'A', value: '' },
      held('A', 'x'),
      held('A', 'y'),
    ]
    expect(beyondFacts([{ variables }])).toEqual([
      ['Tags', 'A'],
      ['["a","b"]', 'x'],
    ])
  })

  it('looks names up that every object has', () => {
    const results = [{ answers: [answer('__proto__', 'x')], variables: [held('constructor', 'y')] }]
    expect(beyondFacts([...results, {}])).toEqual([
      ['__proto__', 'constructor'],
      ['x', 'y'],
      ['', ''],
    ])
  })
})
