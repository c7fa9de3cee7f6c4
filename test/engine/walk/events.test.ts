import { describe, expect, it } from 'vitest'
import type { UserInput } from '../../../src/engine/model/step.ts'
import { bubble, edge, group, leaving, textInput, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { type Walked, walkFlow } from '../../support/walk-flow.ts'

const start = { id: 'start', type: 'start', outgoingEdgeId: 'e-start' }
const event = (id: string, type: string, outgoingEdgeId?: string, options: Json = {}): Json => ({
  id,
  type,
  ...(outgoingEdgeId && { outgoingEdgeId }),
  options,
})
const back = { id: 'back', type: 'Return' }
const help: UserInput = { type: 'command', command: 'help' }
const email = (options: Json = {}): Json => ({ id: 'm', type: 'email input', options })

/** A first group of the given blocks, and a second one that events lead to. */
function flow(first: Json[], aside: Json[], ...events: Json[]): Json {
  return {
    variables: [variable('V', { value: 'old' }), variable('Type'), variable('Name')],
    groups: [group('g1', ...first), group('g2', ...aside)],
    edges: [edge('e-aside', 'g2'), edge('e-low', 'g2', 'low'), edge('e-lost', 'gone')],
    events: [start, ...events],
  }
}

const askedAgain = ({ output }: Walked) => output.input?.value.id

describe('a command', () => {
  const command = (options: Json = {}, edgeId: string | undefined = 'e-aside') =>
    event('c', 'command', edgeId, { command: 'help', ...options })

  it('leaves the input, which a return asks again without a word of its own', () => {
    const walked = walkFlow(flow([textInput('i'), bubble('b')], [bubble('helped'), back], command())).reply(
      help,
    )
    expect([walked.texts, askedAgain(walked)]).toEqual([['helped'], 'i'])
    expect(walked.reply('x').texts).toEqual(['b'])
  })

  it('ends the conversation where it leads, without a return', () => {
    const { texts, conversation } = walkFlow(flow([textInput('i')], [bubble('bye')], command())).reply(help)
    expect([texts, conversation.waitingBlock]).toEqual([['bye'], undefined])
  })

  it('comes back by itself when its command says so', () => {
    const walked = walkFlow(
      flow([textInput('i'), bubble('b')], [bubble('helped')], command({ resumeAfter: true })),
    )
    const helped = walked.reply(help)
    expect([helped.texts, askedAgain(helped), helped.conversation.frames.length]).toEqual([
      ['helped'],
      'i',
      1,
    ])
  })

  it('comes back by a return before anything that was left earlier', () => {
    const jump = { id: 'j', type: 'Jump', options: { groupId: 'g3' } }
    const definition = flow(
      [jump, bubble('behind')],
      [bubble('helped'), back],
      command({ resumeAfter: true }),
    )
    const groups = [...(definition['groups'] as Json[]), group('g3', textInput('i'), { ...back, id: 'r3' })]
    const helped = walkFlow({ ...definition, groups }).reply(help)
    expect([helped.texts, askedAgain(helped)]).toEqual([['helped'], 'i'])
    expect(helped.reply('x').texts).toEqual(['behind'])
  })

  it('comes back by itself only so often inside each other', () => {
    const definition = flow([textInput('i')], [textInput('k')], command({ resumeAfter: true }))
    const once = walkFlow(definition, { limits: { linkDepth: 1 } }).reply(help)
    const twice = once.reply(help)
    expect(twice.conversation.frames.length).toBe(2)
    expect(twice.output.logs[0]?.description).toMatch(/limited to 1 inside each other/)
  })

  it('leaves a block that waits for the client, which is asked anew', () => {
    const wait = { id: 'w', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } }
    const { output } = walkFlow(flow([wait, bubble('b')], [back], command())).reply(help)
    expect(output.actions.map(({ value }) => value.type)).toEqual(['wait'])
  })

  it('is heard on a start that opens with an input', () => {
    const walked = walkFlow(flow([textInput('i')], [bubble('helped'), back], command()), { message: help })
    expect([walked.texts, askedAgain(walked)]).toEqual([['helped'], 'i'])
  })

  it('is left alone on a start that shows something first', () => {
    const walked = walkFlow(flow([bubble('a'), textInput('i')], [bubble('helped')], command()), {
      message: help,
    })
    expect([walked.texts, askedAgain(walked)]).toEqual([['a'], 'i'])
  })

  it('goes to the block that its edge names', () => {
    const definition = flow([textInput('i')], [bubble('high'), bubble('low')], command({}, 'e-low'))
    expect(walkFlow(definition).reply(help).texts).toEqual(['low'])
  })

  it('is the first that is called so', () => {
    const definition = flow(
      [textInput('i')],
      [bubble('high'), bubble('low')],
      command(),
      command({}, 'e-low'),
    )
    expect(walkFlow(definition).reply(help).texts).toEqual(['high', 'low'])
  })

  it.each([
    ['nobody knows', 'Command event not found', event('c', 'command', 'e-aside', { command: 'Help' })],
    ['is not connected', "Command event doesn't have a connected edge", command({}, '')],
    ['leads along no edge', "Command event doesn't have a connected edge", command({}, 'e-none')],
    ['leads to no group', "Command event doesn't have a connected group", command({}, 'e-lost')],
  ])('is refused that %s', (_, message, unusable) => {
    const walked = walkFlow(flow([textInput('i')], [bubble('x')], unusable))
    const problems = [{ pointer: '/message/command', message }]
    expect(() => walked.reply(help)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message, problems }),
    )
  })

  it('is not a reply: no event of those hears it', () => {
    const events = [command(), event('r', 'reply', 'e-low')]
    expect(
      walkFlow(flow([textInput('i')], [bubble('high'), back, bubble('low')], ...events)).reply(help).texts,
    ).toEqual(['high'])
  })
})

describe('a reply event', () => {
  const options = { contentVariableId: 'vV', inputTypeVariableId: 'vType', inputNameVariableId: 'vName' }
  const reply = event('r', 'reply', 'e-aside', options)
  const tells = bubble('aside', '{{V}}, {{Type}}, {{Name}}')

  it('runs before the reply is stored, which a return then does', () => {
    const definition = flow([email({ variableId: 'vV' }), bubble('b', '{{V}}')], [tells, back], reply)
    const { texts, output, conversation } = walkFlow(definition).reply('Ann@a.example')
    expect(texts).toEqual(['Ann@a.example, email, G1', 'ann@a.example'])
    expect(output.answers).toEqual([
      { resultId: 'result-1', part: { blockId: 'm', content: 'ann@a.example' } },
    ])
    expect([output.lastMessageNewFormat, conversation.acceptedReplies]).toEqual(['ann@a.example', 1])
  })

  it('keeps the reply until a return comes, over another input', () => {
    const definition = flow(
      [textInput('i', 'vV'), bubble('b', '{{V}}')],
      [textInput('k'), back],
      event('r', 'reply', 'e-aside'),
    )
    const walked = walkFlow(definition).reply('first')
    expect(askedAgain(walked)).toBe('k')
    // The input on the way is heard by the event as well, so its own reply comes back first.
    const deeper = walked.reply('second')
    expect(askedAgain(deeper)).toBe('k')
    expect(deeper.conversation.returnStack).toHaveLength(2)
  })

  it('lets a reply be refused when it comes back', () => {
    const walked = walkFlow(flow([email(), bubble('b')], [bubble('aside'), back], reply)).reply('nobody')
    expect([walked.texts.length, walked.texts[0], askedAgain(walked)]).toEqual([2, 'aside', 'm'])
    expect(walked.output.answers).toEqual([])
    expect(walked.reply('a@b.co').texts).toEqual(['aside', 'b'])
  })

  it('ends the conversation without a return, and nothing is stored', () => {
    const { output, conversation } = walkFlow(flow([textInput('i')], [bubble('x')], reply)).reply('hi')
    expect([output.answers, output.input, conversation.waitingBlock]).toEqual([[], undefined, undefined])
  })

  it('hears recordings, and not silence', () => {
    const definition = flow([textInput('i')], [tells, back], reply)
    const spoken = walkFlow(definition).reply({ type: 'audio', url: 'https://a.example/a' })
    expect(spoken.texts).toEqual(['https://a.example/a, text, G1'])
    expect(walkFlow(definition).reply().texts).toEqual(['Invalid message. Please, try again.'])
  })

  it('hears the message of a start', () => {
    const definition = flow([textInput('i'), bubble('after')], [bubble('aside', 'got {{V}}'), back], reply)
    expect(walkFlow(definition, { message: 'Bob' }).texts).toEqual(['got Bob', 'after'])
  })

  it('does not hear what a client sends back', () => {
    const onClient = { id: 's', type: 'Set variable', options: { variableId: 'vV', type: 'Device type' } }
    expect(walkFlow(flow([onClient, bubble('b')], [tells], reply)).reply('mobile').texts).toEqual(['b'])
  })

  it.each([
    ['is not connected', [event('r', 'reply')], 0],
    ['leads along no edge', [event('r', 'reply', 'e-none')], 1],
    ['leads to no group', [event('r', 'reply', 'e-lost')], 1],
  ])('is as good as none when it %s', (_, events, logs) => {
    const { texts, output } = walkFlow(flow([textInput('i'), bubble('b')], [bubble('x')], ...events)).reply(
      'hi',
    )
    expect(texts).toEqual(['b'])
    expect(output.logs.filter(({ description }) => description.includes('leads nowhere'))).toHaveLength(logs)
  })

  it('is the first that is connected', () => {
    const events = [event('r0', 'reply'), event('r1', 'reply', 'e-aside'), event('r2', 'reply', 'e-low')]
    expect(
      walkFlow(flow([textInput('i')], [bubble('high'), bubble('low')], ...events)).reply('x').texts,
    ).toEqual(['high', 'low'])
  })

  it('belongs to the flow that is being walked', () => {
    const linked = [{ id: 'child', blocks: [textInput('k')] }]
    const link = { id: 'l', type: 'Flow link', options: { flowId: 'child' } }
    expect(walkFlow(flow([link, bubble('b')], [bubble('x')], reply), { linked }).reply('hi').texts).toEqual([
      'b',
    ])
  })
})

describe('the transcript around events', () => {
  const told = (walked: Walked) => walked.output.said.map(({ part: { role, text } }) => `${role}: ${text}`)
  const aside = [bubble('aside', 'aside'), back]

  it('holds what was said before what the event shows, once', () => {
    const definition = flow([textInput('i'), bubble('b')], aside, event('r', 'reply', 'e-aside'))
    expect(told(walkFlow(definition).reply('hi'))).toEqual(['user: hi', 'assistant: aside', 'assistant: b'])
  })

  it('holds what was refused, though no text says so', () => {
    const definition = flow([email()], aside, event('n', 'invalidReply', 'e-aside'))
    expect(told(walkFlow(definition).reply('nobody'))).toEqual(['user: nobody', 'assistant: aside'])
  })
})

describe('a reply that an event keeps', () => {
  it('over an action reports no new form of what the client sent back', () => {
    const onClient = { id: 's', type: 'Set variable', options: { variableId: 'vType', type: 'Device type' } }
    const definition = flow([email()], [onClient, back], event('r', 'reply', 'e-aside'))
    const { output } = walkFlow(definition).reply('Ann@a.example').reply('mobile')
    expect(output.answers).toMatchObject([{ part: { content: 'ann@a.example' } }])
    expect(output.lastMessageNewFormat).toBeUndefined()
  })

  it('stays longer than jumps, and is reported when it is lost', () => {
    const jump = (id: string) => ({ id, type: 'Jump', options: { groupId: 'g2', blockId: 'low' } })
    const definition = flow(
      [textInput('i')],
      [jump('j1'), bubble('low'), textInput('k')],
      event('r', 'reply', 'e-aside'),
    )
    const limits = { returnMarks: 1 }
    const walked = walkFlow(definition, { limits }).reply('first')
    expect(walked.output.logs).toMatchObject([{ description: expect.stringContaining('A reply was lost') }])
  })
})

describe('an invalid-reply event', () => {
  const invalid = event('n', 'invalidReply', 'e-aside', {
    contentVariableId: 'vV',
    inputTypeVariableId: 'vType',
  })
  const reply = event('r', 'reply', 'e-low')

  it('takes the place of the text for what is not valid, and a return asks again', () => {
    const walked = walkFlow(flow([email()], [bubble('aside', '{{V}}: {{Type}}'), back], invalid)).reply(
      'nobody',
    )
    expect([walked.texts, askedAgain(walked)]).toEqual([['nobody: email'], 'm'])
    expect(walked.conversation.returnStack).toEqual([])
  })

  it('goes before a reply event, which hears valid replies only', () => {
    const definition = flow(
      [email()],
      [bubble('high'), back, bubble('low'), { ...back, id: 'r2' }],
      reply,
      invalid,
    )
    expect(walkFlow(definition).reply('nobody').texts).toEqual(['high'])
    expect(walkFlow(definition).reply('a@b.co').texts).toEqual(['low'])
  })

  it('hears silence, as nothing said', () => {
    const walked = walkFlow(flow([email()], [bubble('aside', '[{{V}}]'), back], invalid)).reply()
    expect([walked.texts, askedAgain(walked)]).toEqual([['[]'], 'm'])
  })

  it('leaves the reply to the reply event when it is not connected', () => {
    const definition = flow(
      [email()],
      [bubble('high'), bubble('low'), back],
      event('n', 'invalidReply'),
      reply,
    )
    expect(walkFlow(definition).reply('nobody').texts[0]).toBe('low')
  })

  it('ends the conversation without a return', () => {
    const { conversation } = walkFlow(flow([email()], [leaving(bubble('x'), 'e-none')], invalid)).reply(
      'nobody',
    )
    expect(conversation.waitingBlock).toBeUndefined()
  })
})
