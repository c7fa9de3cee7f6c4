import { describe, expect, it } from 'vitest'
import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const pause = { id: 'w', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }
const onClient = (variableId: string): Json => ({
  id: 's',
  type: 'Set variable',
  options: { variableId, type: 'Device type' },
})
const waitsFor = (id: string, options: Json = {}): Json => ({
  id,
  type: 'embed',
  content: { url: 'https://a.example', waitForEvent: { isEnabled: true, ...options } },
})
const audio = { type: 'audio', url: 'https://a.example/a' } as const

describe('going on with nothing said', () => {
  it('asks an input again, with the text for what is not valid', () => {
    const { output, conversation } = walkFlow({ blocks: [textInput('i'), bubble('b')] }).reply()
    expect(output.messages.map(({ value }) => value.id)).toEqual(['i'])
    expect(output.input?.value.id).toBe('i')
    expect([output.answers, conversation.acceptedReplies]).toEqual([[], 0])
  })

  it.each([
    ['a pause', pause],
    ['what the client works out', onClient('vA')],
    ['an embed that waits', waitsFor('e')],
  ])('goes on behind %s', (_, block) => {
    const walked = walkFlow({
      variables: [variable('A', { value: 'x' })],
      blocks: [block, bubble('b', '{{A}}')],
    }).reply()
    expect(walked.texts).toEqual(['x'])
    expect(walked.conversation.acceptedReplies).toBe(0)
  })
})

describe('what a client sends back', () => {
  it('is written, and is no answer of the visitor', () => {
    const definition = { variables: [variable('A')], blocks: [onClient('vA'), bubble('b', '{{A}}')] }
    const { texts, output, conversation, turn } = walkFlow(definition).reply('mobile')
    expect(texts).toEqual(['mobile'])
    expect([output.answers, output.lastMessageNewFormat, conversation.acceptedReplies]).toEqual([
      [],
      undefined,
      0,
    ])
    expect([...turn.currentFrame.answers]).toEqual([])
  })

  it.each([
    ['as a recording', audio],
    ['to a block that takes nothing', 'x'],
  ])('is left alone %s', (_, input) => {
    const block = input === 'x' ? pause : onClient('vA')
    const definition = { variables: [variable('A', { value: 'old' })], blocks: [block, bubble('b', '{{A}}')] }
    expect(walkFlow(definition).reply(input).texts).toEqual(['old'])
  })

  it('refuses what breaks the agreement, as the place of the message', () => {
    const request = {
      id: 'h',
      type: 'Webhook',
      options: { isExecutedOnClient: true, webhook: { url: 'https://a.example' } },
    }
    const walked = walkFlow({ blocks: [request, bubble('b')] })
    expect(() => walked.reply('<html>')).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: 'Provided response is not valid JSON',
        problems: [{ pointer: '/message', message: 'Provided response is not valid JSON' }],
      }),
    )
  })
})

describe('where a conversation goes on', () => {
  it.each([
    ['an input', textInput('i')],
    ['a pause', pause],
    ['an embed that waits', waitsFor('e')],
  ])('along the own edge of %s, though blocks follow', (_, block) => {
    const groups = [group('g1', leaving(block, 'e1'), bubble('below')), group('g2', bubble('far'))]
    expect(walkFlow({ groups, edges: [edge('e1', 'g2')] }).reply('x').texts).toEqual(['far'])
  })

  it('behind the link of a flow that ended with an input', () => {
    const linked = [{ id: 'child', blocks: [textInput('k')] }]
    const link = { id: 'l', type: 'Flow link', options: { flowId: 'child' } }
    expect(walkFlow({ blocks: [link, bubble('2')] }, { linked }).reply('x').texts).toEqual(['2'])
  })

  it('behind a jump, with an input on the way', () => {
    const jump = { id: 'j', type: 'Jump', options: { groupId: 'g2' } }
    const groups = [
      group('g1', jump, bubble('back')),
      group('g2', textInput('i'), { id: 'r', type: 'Return' }),
    ]
    expect(walkFlow({ groups }).reply('x').texts).toEqual(['back'])
  })

  it('nowhere, when the conversation is over', () => {
    const over = walkFlow({ blocks: [textInput('i')] }).reply('x')
    expect([over.output.messages, over.conversation.waitingBlock]).toEqual([[], undefined])
    expect(over.reply('y').output.messages).toEqual([])
  })
})

describe('a turn that goes on', () => {
  it('ends with its budget like one that starts', () => {
    const groups = [group('g1', textInput('i')), group('g2', leaving(setVariable('s', 'vA', '1'), 'e2'))]
    const edges = [edge('e1', 'g2'), edge('e2', 'g2')]
    const definition = {
      groups: [{ ...groups[0], blocks: [leaving(textInput('i'), 'e1')] }, groups[1]],
      edges,
    }
    const { output, conversation } = walkFlow(definition).reply('x')
    expect(output.logs.at(-1)?.description).toMatch(/more than 1000 blocks/)
    expect(conversation.waitingBlock).toBeUndefined()
  })

  it('keeps what was said before it was refused out of the answers, and in the transcript', () => {
    const blocks = [{ id: 'm', type: 'email input' }, bubble('b', 'Thanks')]
    const walked = walkFlow({ blocks })
    const first = walked.reply('nobody').output.said
    const second = walked.reply('Ann@a.example').output.said
    const told = ({ part: { role, text } }: (typeof first)[number]) => `${role}: ${text}`
    expect(first.map(told)).toEqual(['user: nobody', expect.stringMatching(/^assistant: .+mail/i)])
    expect(second.map(told)).toEqual(['user: ann@a.example', 'assistant: Thanks'])
  })
})
