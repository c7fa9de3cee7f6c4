import { describe, expect, it } from 'vitest'
import { script } from '../../../src/blocks/logic/script.ts'
import type { CodeResult, OutgoingRequest } from '../../../src/engine/model/effect-payloads.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import type { HttpClient } from '../../../src/ports/http-client-port.ts'
import { impatientLimits } from '../../support/limits.ts'
import { nowhere } from '../../support/nowhere.ts'
import { runBlock } from '../../support/run-block.ts'
import { playBlock } from './play-block.ts'

const block = (options?: object) => ({ id: 's1', type: 'Code', ...(options && { options }) })

describe('script', () => {
  it('sends the code with the variables that it uses', () => {
    const step = runBlock(script, block({ content: 'alert({{Name}} + {{Age}})' }), {
      variables: { Name: 'Ada', Age: '41' },
    })
    expect(step).toEqual({
      actions: [
        {
          type: 'scriptToExecute',
          scriptToExecute: {
            content: 'alert(vName + vAge)',
            args: [
              { id: 'vName', value: 'Ada' },
              { id: 'vAge', value: 41 },
            ],
          },
        },
      ],
    })
  })

  it.each([true, false])('passes isUnsafe: %s on', (isUnsafe) => {
    const { actions } = runBlock(script, block({ content: 'f()', isUnsafe, isExecutedOnClient: true }))
    expect(actions).toEqual([
      { type: 'scriptToExecute', scriptToExecute: { content: 'f()', args: [], isUnsafe } },
    ])
  })

  it.each([
    ['options', undefined],
    ['content', { name: 'Script' }],
    ['more than empty content', { content: '' }],
    ['content for the server', { isExecutedOnClient: false }],
  ])('does nothing without %s', (_what, options) => {
    expect(runBlock(script, block(options))).toEqual({})
  })

  it('always passes', () => {
    expect(script.isPassThrough?.(block({ content: 'f()' }))).toBe(true)
  })
})

describe('script on the server', () => {
  const onServer = (content: string) => block({ content, isExecutedOnClient: false })

  it('writes what was set last under each name, and nothing under names that the flow lacks', () => {
    const assigned = [
      ['A', 1],
      ['B', 'x'],
      ['Nope', 2],
      ['A', ['y', null]],
    ] as const
    const step = runBlock(script, onServer('…'), {
      variables: { A: null, B: null },
      effects: { evaluate: { ok: true, value: 'ignored', assigned } },
    })
    expect(step).toEqual({
      assignments: [
        { variableId: 'vA', value: ['y', null] },
        { variableId: 'vB', value: 'x' },
      ],
    })
  })

  it.each(['thrown', 'limit', 'busy'] as const)(
    'writes nothing when it fails, and tells why: %s',
    (reason) => {
      const evaluate: CodeResult = { ok: false, message: 'boom', reason }
      expect(runBlock(script, onServer('…'), { variables: { A: null }, effects: { evaluate } })).toEqual({
        logs: [
          {
            status: 'error',
            context: 'Script failed',
            description: 'boom',
            details: expect.stringMatching(/^Block "/),
          },
        ],
      })
    },
  )
})

const played = (content: string, variables: Record<string, Value>, given?: Parameters<typeof playBlock>[2]) =>
  playBlock(block({ content, isExecutedOnClient: false }), variables, given)

describe('script in the sandbox', () => {
  it.each<[string, Record<string, Value>, Record<string, Value>]>([
    ['setVariable("A", {{B}} + 1)', { A: null, B: '41' }, { A: '42', B: '41' }],
    ['setVariable("A", 1); setVariable("A", 2)', { A: null }, { A: '2' }],
    ['setVariable("Nope", 1); return 5', { A: 'before' }, { A: 'before' }],
    ['await null; setVariable("A", await Promise.resolve("later"))', { A: null }, { A: 'later' }],
    ['const list = {{L}}; list.push("b"); setVariable("L", list)', { L: ['a'] }, { L: ['a', 'b'] }],
    ['{{A}} = 8', { A: 'before' }, { A: 'before' }],
    ['setVariable("A", {{Nope}} undefined)', { A: 'before' }, {}],
    ['setVariable("A", "{{B}}")', { A: null, B: 'x' }, { A: 'vB', B: 'x' }],
    ['setVariable("A", {{={{B}}.length=}})', { A: null, B: 'abc' }, { A: '3', B: 'abc' }],
    ['setVariable("A", new Date(0))', { A: null }, { A: '"1970-01-01T00:00:00.000Z"' }],
    [
      'setVariable("A", {{B}})',
      { A: null, B: '{{A}} {{=1+1=}}' },
      { A: '{{A}} {{=1+1=}}', B: '{{A}} {{=1+1=}}' },
    ],
  ])('runs %s', async (content, before, after) => {
    expect(await played(content, before)).toEqual({ values: after, logs: [] })
  })

  it.each([
    ['throws', 'setVariable("A", 1); throw new Error("boom")', 'boom'],
    ['throws a text', 'setVariable("A", 1); throw "boom"', 'boom'],
    ['is no code', 'setVariable("A", 1) boom', expect.any(String)],
    ['never ends', 'setVariable("A", 1); for (;;);', expect.any(String), { limits: impatientLimits }],
    ['never settles', 'setVariable("A", 1); await new Promise(() => {})', expect.any(String)],
  ])(
    'forgets what was set by a script that %s',
    async (_what, content, description, given?: Parameters<typeof playBlock>[2]) => {
      const details = expect.stringMatching(/^Block ".+" \(Code\) in group ".+"/)
      expect(await played(content, { A: 'before' }, given)).toEqual({
        values: { A: 'before' },
        logs: [{ status: 'error', context: 'Script failed', description, details }],
      })
    },
  )

  it('sends requests through the client of the service', async () => {
    const asked: OutgoingRequest[] = []
    const http: HttpClient = {
      ...nowhere.http,
      send: async (request) => {
        asked.push(request)
        return { kind: 'response', status: 200, text: '{"n":5}' }
      },
    }
    const content = 'setVariable("A", JSON.parse(await fetch("https://a.example", { method: "post" })).n)'
    expect(await played(content, { A: null }, { http })).toEqual({ values: { A: '5' }, logs: [] })
    expect(asked).toMatchObject([{ method: 'POST', url: 'https://a.example' }])
  })
})
