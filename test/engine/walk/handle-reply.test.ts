import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../schemas/common.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { type AnyBlock, type BlockHandler, defineBlock } from '../../../src/engine/model/block-handler.ts'
import { ask } from '../../../src/engine/model/effects.ts'
import { JsonFragment } from '../../../src/engine/templates/json-fragment.ts'
import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const emailInput = (options: Json = {}) => ({ id: 'i', type: 'email input', options })
const answersOf = ({ turn }: ReturnType<typeof walkFlow>) => [...turn.currentFrame.answers]

describe('an accepted reply', () => {
  it('is an answer, counted, and the walk goes on below', () => {
    const { output, conversation, texts } = walkFlow({ blocks: [textInput('i'), bubble('b')] }).reply('yes')
    expect(output.answers).toEqual([{ resultId: 'result-1', part: { blockId: 'i', content: 'yes' } }])
    expect([conversation.acceptedReplies, texts]).toEqual([1, ['b']])
  })

  it('is known in its normal form everywhere, and the response has that form', () => {
    const definition = {
      variables: [variable('Mail')],
      blocks: [emailInput({ variableId: 'vMail' }), bubble('b', '{{Mail}}')],
    }
    const walked = walkFlow(definition).reply('Ann@A.example')
    expect(walked.output.lastMessageNewFormat).toBe('ann@a.example')
    expect(walked.output.answers).toEqual([
      { resultId: 'result-1', part: { blockId: 'i', content: 'ann@a.example' } },
    ])
    expect(answersOf(walked)).toEqual([['Mail', 'ann@a.example']])
    expect(walked.texts).toEqual(['ann@a.example'])
  })

  it('has no new form when it was sent in its normal form, nor when it was spoken', () => {
    expect(
      walkFlow({ blocks: [emailInput()] }).reply('ann@a.example').output.lastMessageNewFormat,
    ).toBeUndefined()
    const spoken = walkFlow({ blocks: [textInput('i')] }).reply({ type: 'audio', url: 'https://a.example/a' })
    expect(spoken.output.lastMessageNewFormat).toBeUndefined()
    expect(spoken.output.answers).toEqual([
      { resultId: 'result-1', part: { blockId: 'i', content: 'https://a.example/a' } },
    ])
  })

  it('is not written to the variable of the input when it was spoken', () => {
    const definition = { variables: [variable('Name', { value: 'Ann' })], blocks: [textInput('i', 'vName')] }
    const walked = walkFlow(definition).reply({ type: 'audio', url: 'https://a.example/a' })
    expect(walked.turn.currentFrame.variables.readByName('Name')).toBe('Ann')
    expect(answersOf(walked)).toEqual([['Name', 'https://a.example/a']])
  })

  it('writes the variables of its own before that of the input', () => {
    const input = textInput('i', 'vName')
    const attachments = { isEnabled: true, saveVariableId: 'vName' }
    const definition = {
      variables: [variable('Name')],
      blocks: [{ ...input, options: { variableId: 'vName', attachments } }],
    }
    const reply = { type: 'text' as const, text: 'Ann', attachedFileUrls: ['https://a.example/f'] }
    expect(walkFlow(definition).reply(reply).turn.currentFrame.variables.readByName('Name')).toBe('Ann')
  })

  it.each([
    ['a list', ['a', null], 'b', ['a', null, 'b']],
    ['an empty list', [], 'b', ['b']],
    ['a list, given nothing', ['a'], '', null],
    ['a text', 'a', 'b', 'b'],
    ['nothing', null, 'b', 'b'],
  ])('is written to a variable that holds %s', (_, held, reply, expected) => {
    const definition = { variables: [variable('Name', { value: held })], blocks: [textInput('i', 'vName')] }
    expect(walkFlow(definition).reply(reply).turn.currentFrame.variables.get('vName')).toEqual(expected)
  })

  it('carries the addresses of its files, which stand before its text', () => {
    const attachedFileUrls = ['https://a.example/1', 'https://a.example/2']
    const definition = {
      blocks: [textInput('i'), setVariable('s', 'v', 'x'), setVariable('t', 'v', { type: 'Transcript' })],
    }
    const walked = walkFlow(definition).reply({ type: 'text', text: 'here', attachedFileUrls })
    const said = 'https://a.example/1, https://a.example/2\n\nhere'
    expect(answersOf(walked)).toEqual([['Group 1', said]])
    expect(walked.output.answers).toEqual([
      { resultId: 'result-1', part: { blockId: 'i', content: 'here', attachedFileUrls } },
    ])
    expect(walked.conversation.transcript).toEqual([`User: "${said}"`])
  })

  it('without a file has no list of files', () => {
    const walked = walkFlow({ blocks: [textInput('i')] }).reply({
      type: 'text',
      text: 'x',
      attachedFileUrls: [],
    })
    expect(walked.output.answers).toEqual([{ resultId: 'result-1', part: { blockId: 'i', content: 'x' } }])
    expect(answersOf(walked)).toEqual([['Group 1', 'x']])
  })

  it('leaves along the own edge of the input, even in the middle of a group', () => {
    const definition = {
      groups: [group('g1', leaving(textInput('i'), 'e'), bubble('below')), group('g2', bubble('beside'))],
      edges: [edge('e', 'g2')],
    }
    expect(walkFlow(definition).reply('x').texts).toEqual(['beside'])
  })
})

describe('the name of an answer', () => {
  const keysAfter = (definition: Json, ...replies: string[]) =>
    answersOf(replies.reduce((walked, reply) => walked.reply(reply), walkFlow(definition)))

  it('is that of its variable, which an undeclared one does not have', () => {
    const variables = [{ id: 'v', name: 'Name' }]
    expect(keysAfter({ variables, blocks: [textInput('i', 'v'), textInput('j', 'gone')] }, '1', '2')).toEqual(
      [
        ['Name', '1'],
        ['Group 1 (1)', '2'],
      ],
    )
  })

  it('is the title of its group, counted among its inputs from the second on', () => {
    const blocks = [bubble('m'), textInput('i'), bubble('n'), textInput('j'), textInput('k')]
    expect(keysAfter({ blocks }, '1', '2', '3')).toEqual([
      ['Group 1', '1'],
      ['Group 1 (1)', '2'],
      ['Group 1 (2)', '3'],
    ])
  })

  it('is the id of its block when the group has no title', () => {
    expect(keysAfter({ groups: [{ id: 'g', blocks: [textInput('i'), textInput('j')] }] }, '1', '2')).toEqual([
      ['i', '1'],
      ['j', '2'],
    ])
  })

  it('given again moves to the end', () => {
    const variables = [{ id: 'v', name: 'Name' }]
    expect(
      keysAfter(
        { variables, blocks: [textInput('i', 'v'), textInput('j'), textInput('k', 'v')] },
        '1',
        '2',
        '3',
      ),
    ).toEqual([
      ['Group 1 (1)', '2'],
      ['Name', '3'],
    ])
  })
})

describe('a refused reply', () => {
  const invalid = (invalidMessage: string) => ({ general: { systemMessages: { invalidMessage } } })
  const refusal = (definition: Json, textBubbleContentFormat: 'richText' | 'markdown' = 'markdown') =>
    walkFlow(definition, { textBubbleContentFormat }).reply('nonsense')
  const numberInput = { id: 'i', type: 'number input' }

  it('shows one text with the id of the input, and the input again', () => {
    const { output, conversation } = refusal({ blocks: [numberInput, bubble('b')] })
    expect(output.messages.map(({ value }) => value)).toEqual([
      {
        id: 'i',
        type: 'text',
        content: { type: 'markdown', markdown: 'Invalid message. Please, try again.' },
      },
    ])
    expect(output.input?.value).toEqual(numberInput)
    expect(conversation.waitingBlock?.id).toBe('i')
  })

  it('is no answer at all', () => {
    const { output, conversation, turn } = refusal({ blocks: [numberInput] })
    expect([output.answers, output.lastMessageNewFormat]).toEqual([[], undefined])
    expect([conversation.acceptedReplies, turn.currentFrame.answers.size]).toEqual([0, 0])
  })

  it('can be rich text', () => {
    const { output } = refusal({ blocks: [numberInput] }, 'richText')
    expect(output.messages[0]?.value.content).toEqual({
      type: 'richText',
      richText: [{ type: 'p', children: [{ text: 'Invalid message. Please, try again.' }] }],
    })
  })

  it.each([
    ['the own text of the block', 'Own', 'Flow', 'Own'],
    [
      'a text for its kind, when the block has none',
      undefined,
      'Flow',
      'That does not look like an e-mail address. Please try again.',
    ],
  ])('shows %s before that of the flow', (_, retryMessageContent, invalidMessage, expected) => {
    const options = retryMessageContent === undefined ? {} : { retryMessageContent }
    const definition = { settings: invalid(invalidMessage), blocks: [emailInput(options)] }
    expect(refusal(definition).texts).toEqual([expected])
  })

  it('shows the text of the flow with its values before the general one', () => {
    const variables = [variable('Name', { value: 'Ann' })]
    const shownWith = (text: string) =>
      refusal({ variables, settings: invalid(text), blocks: [numberInput] }).texts
    expect(shownWith('No, {{Name}}!')).toEqual(['No, Ann!'])
    expect(shownWith('')).toEqual(['Invalid message. Please, try again.'])
  })

  it('can be followed by a better one', () => {
    const { texts, output } = refusal({ blocks: [numberInput, bubble('b')] }).reply('5')
    expect([texts, output.input]).toEqual([['b'], undefined])
  })
})

describe('an input that asks something of the world', () => {
  const shown = new JsonFragment({ id: 'p', type: 'text input' as const })
  const withProbe = (handler: Partial<BlockHandler>) => {
    const probe = defineBlock<AnyBlock, unknown>({
      schema: blockOf('probe', {}),
      kind: 'input',
      compile: () => undefined,
      run: () => ({ input: shown, next: { to: 'wait' } }),
      reply: () => ({ outcome: 'refused', rule: 'it is late' }),
      ...handler,
    })
    return new Map([...blockRegistry, ['probe', probe]])
  }
  const blocks = [{ id: 'p', type: 'probe' }]

  it('may do so to ask again, and to judge', () => {
    const registry = withProbe({
      *run() {
        yield* ask({ type: 'random' })
        return { input: shown, next: { to: 'wait' } }
      },
      *reply() {
        yield* ask({ type: 'now' })
        return { outcome: 'refused', rule: 'it is late' }
      },
    })
    const { asked, output, conversation } = walkFlow({ blocks }, { registry }).reply('x')
    expect(asked).toEqual([{ type: 'now' }, { type: 'random' }])
    expect(output.input).toBe(shown)
    expect(conversation.waitingBlock?.id).toBe('p')
  })

  it('is left along the edge of the item that was chosen', () => {
    const definition = {
      groups: [
        group('g1', leaving({ id: 'p', type: 'probe' }, 'own')),
        group('g2', bubble('chosen')),
        group('g3', bubble('other')),
      ],
      edges: [edge('e', 'g2'), edge('own', 'g3')],
    }
    const leavingBy = (edgeId: object) =>
      walkFlow(definition, {
        registry: withProbe({ reply: () => ({ outcome: 'accepted', content: 'x', ...edgeId }) }),
      }).reply('x').texts
    expect([leavingBy({ edgeId: 'e' }), leavingBy({})]).toEqual([['chosen'], ['other']])
  })

  it('is not given the message of a start when it shows choices', () => {
    const reply = () => ({ outcome: 'accepted' as const, content: 'x' })
    const answered = (showsChoices: boolean) =>
      walkFlow({ blocks }, { registry: withProbe({ reply, showsChoices }), message: 'x' }).conversation
        .acceptedReplies
    expect([answered(true), answered(false)]).toEqual([0, 1])
  })
})

describe('a reply that nothing waits for', () => {
  it('changes nothing', () => {
    const walked = walkFlow({ blocks: [bubble('a')] }).reply('x')
    expect([walked.texts, walked.output.answers, walked.output.logs]).toEqual([[], [], []])
  })
})

describe('a reply to an embed that waits', () => {
  const embed = {
    id: 'e',
    type: 'embed',
    content: { url: 'https://a.example/', waitForEvent: { isEnabled: true, saveDataInVariableId: 'vName' } },
  }

  it('is written as the embed says, and the walk goes on', () => {
    const definition = { variables: [variable('Name')], blocks: [embed, bubble('b', '{{Name}}')] }
    expect(walkFlow(definition).reply('"Ann"').texts).toEqual(['Ann'])
  })

  it('that is skipped is no answer', () => {
    const walked = walkFlow({ blocks: [embed, bubble('b')] }).reply({
      type: 'audio',
      url: 'https://a.example/a',
    })
    expect([walked.texts, walked.output.answers, walked.conversation.acceptedReplies]).toEqual([['b'], [], 0])
  })
})
