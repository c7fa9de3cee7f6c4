import { parse } from 'acorn'
import { describe, expect, it } from 'vitest'
import type { ScriptToExecute } from '../../../schemas/action.ts'
import type { ChatwootBlock } from '../../../schemas/blocks/integrations.ts'
import { chatwoot } from '../../../src/blocks/integrations/chatwoot.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { runBlock, type Surroundings } from '../../support/run-block.ts'

type Options = ChatwootBlock['options']

function block(options?: Options): ChatwootBlock {
  return { id: 'b1', type: 'Chatwoot', ...(options && { options }) }
}

function scriptOf(options: Options, given: Surroundings = {}): Pick<ScriptToExecute, 'content' | 'args'> {
  const [action] = runBlock(chatwoot, block(options), { resultId: 'result-1', ...given }).actions ?? []
  if (action?.type !== 'chatwoot') throw new Error('no script was sent')
  const { content, args } = action.chatwoot.scriptToExecute
  expect(() => parse(content, { ecmaVersion: 2022, allowReturnOutsideFunction: true })).not.toThrow()
  return { content, args }
}

const userOf = (user: NonNullable<Options>['user'], variables: Record<string, Value> = {}) =>
  scriptOf({ websiteToken: 'w-1', ...(user && { user }) }, { variables })

describe('Chatwoot, showing the widget', () => {
  it('loads the widget from its default address, with token and result', () => {
    const { content, args } = scriptOf({ websiteToken: 'w-1' }, { flowId: 'flow 1' })
    expect(args).toEqual([])
    expect(content).toContain('const _baseUrl = "https://app.chatwoot.com"')
    expect(content).toContain("_baseUrl + '/packs/js/sdk.js'")
    expect(content).toContain('run({ websiteToken: "w-1", baseUrl: _baseUrl })')
    expect(content).toContain('{ flow_result_url: "/v1/flows/flow%201/results/result-1" }')
    expect(content).toContain("toggle('open')")
    expect(content).not.toContain('setUser')
  })

  it('passes variables as arguments, and everything else as strings', () => {
    const options = { baseUrl: 'https://{{Host}}/', websiteToken: '{{Token}}' }
    const { content, args } = scriptOf(options, { variables: { Host: 'chat.example', Token: 'w-2' } })
    expect(content).toContain('const _baseUrl = ["https://",vHost,"/"].join(\'\')')
    expect(content).toContain("websiteToken: [vToken].join('')")
    expect(args).toEqual([
      { id: 'vHost', value: 'chat.example' },
      { id: 'vToken', value: 'w-2' },
    ])
  })

  it('describes the user by every field', () => {
    const user = {
      id: 'u1',
      email: '{{Email}}',
      name: 'Ada {{Last}}',
      avatarUrl: 'a.png',
      phoneNumber: '+33',
    }
    const { content, args } = userOf(user, { Email: 'ada@mail.example', Last: 'Lovelace' })
    expect(content).toContain(`setUser("u1" || [vEmail].join('') || "result-1", {`)
    expect(content).toContain(`email: [vEmail].join(''),`)
    expect(content).toContain(`name: ["Ada ",vLast].join(''),`)
    expect(content).toContain('avatar_url: "a.png",')
    expect(content).toContain('phone_number: "+33",')
    expect(args).toEqual([
      { id: 'vEmail', value: 'ada@mail.example' },
      { id: 'vLast', value: 'Lovelace' },
    ])
  })

  it.each([
    [{ id: 'u1' }, 'setUser("u1" || "result-1", {'],
    [{ email: 'ada@mail.example' }, 'setUser("ada@mail.example" || "result-1", {'],
  ])('identifies the user by %j', (user, call) => {
    expect(userOf(user).content).toContain(call)
  })

  it.each([undefined, {}, { name: 'Ada' }, { id: '', email: '' }])('sets no user for %j', (user) => {
    expect(userOf(user).content).not.toContain('setUser')
  })

  it.each([
    ['"); alert(1); ("', '"\\"); alert(1); (\\""'],
    ['{{}} {x}', '"\\u007b\\u007b}} \\u007bx}"'],
    ['line\nbreak', '"line\\nbreak"'],
  ])('makes a string of %j', (name, expected) => {
    expect(userOf({ id: 'u1', name }).content).toContain(`name: ${expected},`)
  })

  it('stays a program when a variable is unknown', () => {
    const { content, args } = userOf({ email: '{{Nope}}', name: 'Ms {{Nope}} X' })
    expect(content).toContain("setUser([].join('') || ")
    expect(args).toEqual([])
  })

  it('never makes code of what inline code yields', () => {
    const { content } = userOf({ id: 'u1', name: `{{="'); alert(1); ('"=}}` })
    expect(content).toMatch(/name: \[".*alert\(1\).*"\]\.join/)
  })

  it('sends an empty script from a preview, and reports so', () => {
    expect(runBlock(chatwoot, block({ websiteToken: 'w-1' }), { isLive: false })).toEqual({
      actions: [{ type: 'chatwoot', chatwoot: { scriptToExecute: { content: '', args: [] } } }],
      logs: [{ status: 'info', description: 'Chatwoot block is not supported in preview' }],
    })
  })
})

describe('Chatwoot, closing the widget', () => {
  it.each([true, false])('hides it again (live: %s)', (isLive) => {
    const { content, args } = scriptOf({ task: 'Close widget' }, { isLive })
    expect(content).toContain("toggle('close')")
    expect(content).toContain("toggleBubbleVisibility('hide')")
    expect(args).toEqual([])
  })
})

describe('Chatwoot', () => {
  it('does nothing without options', () => {
    expect(runBlock(chatwoot, block())).toEqual({})
  })

  it('always passes', () => {
    expect(chatwoot.isPassThrough?.(block())).toBe(true)
  })
})
