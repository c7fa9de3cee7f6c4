import { describe, expect, it } from 'vitest'
import { type Conversation, converse, declare, type Json, messagesOf } from './converse.ts'

const markdown = { textBubbleContentFormat: 'markdown' }
const generic = 'Invalid message. Please, try again.'
const aboutMail = 'That does not look like an e-mail address. Please try again.'

const input = (type: string, options?: Json, more: Json = {}): Json => ({
  id: 'i',
  type,
  ...(options && { options }),
  ...more,
})

const next = { id: 'next', type: 'text input' }
const bubble = { id: 'b', type: 'text', content: { richText: [{ type: 'p', children: [{ text: 'hi' }] }] } }

/** A conversation about one input, with another input behind it. */
const ask = (block: Json, values: Json = {}, more: Json = {}, body: Json = markdown) =>
  converse({ variables: declare(values), blocks: [block, next], ...more }, body)

const inputOf = (response: Json) => response['input'] as Json | undefined
const askedFor = (response: Json) => inputOf(response)?.['id']
const texts = (response: Json) => messagesOf(response).map(({ content }) => content['markdown'])

/** What a reply leads to: the waiting input, what is shown, and the value under `V`. */
async function outcomeOf(conversation: Conversation, message?: unknown) {
  const response = await conversation.say(message)
  return {
    asked: askedFor(response),
    texts: texts(response),
    value: (await conversation.values())['V'] ?? null,
    newFormat: response['lastMessageNewFormat'],
  }
}

const refusedWith = (text: string) => ({ asked: 'i', texts: [text] })
const accepted = (value: unknown) => ({ asked: 'next', texts: [], value })

describe('I1. A text input without options', () => {
  it('is its id and type, and its edge where there is one', async () => {
    expect(inputOf((await ask(input('text input'))).first)).toEqual({ id: 'i', type: 'text input' })
    const leaving = { ...input('text input'), outgoingEdgeId: 'e' }
    const { first } = await ask(leaving, {}, { edges: [{ id: 'e', to: { groupId: 'g1' } }] })
    expect(inputOf(first)).toEqual({ id: 'i', type: 'text input', outgoingEdgeId: 'e' })
  })
})

describe('I2. A text input whose variable holds a list', () => {
  it('has no prefilled value, and appends the reply', async () => {
    const conversation = await ask(input('text input', { variableId: 'vV' }), { V: ['a'] })
    expect(inputOf(conversation.first)).not.toHaveProperty('prefilledValue')
    expect(await outcomeOf(conversation, 'b')).toMatchObject(accepted(['a', 'b']))
  })
})

describe('I3. A prefilled value where the setting says no', () => {
  it('is told all the same', async () => {
    const settings = { general: { isInputPrefillEnabled: false } }
    const { first } = await ask(input('text input', { variableId: 'vV' }), { V: 'x' }, { settings })
    expect(inputOf(first)).toMatchObject({ prefilledValue: 'x' })
  })
})

describe('I4. A message on a start that shows a bubble first', () => {
  it('is ignored', async () => {
    const blocks = [bubble, input('text input', { variableId: 'vV' }), next]
    const { first, values } = await converse(
      { variables: declare({ V: undefined }), blocks },
      { message: 'x' },
    )
    expect([messagesOf(first).length, askedFor(first), await values()]).toEqual([1, 'i', {}])
  })
})

describe('I5. A message on a start whose first block is a choice', () => {
  it('is ignored', async () => {
    const items = [{ id: 'x', content: 'x' }]
    const block = input('choice input', { variableId: 'vV' }, { items })
    const { first, values } = await ask(block, { V: undefined }, {}, { message: 'x' })
    expect([askedFor(first), await values()]).toEqual(['i', {}])
  })
})

describe('I6. An address on a start whose first block asks for one', () => {
  const block = input('email input', { variableId: 'vV' })
  const start = () => ask(block, { V: undefined }, {}, { message: 'A@B.CO' })

  it('is kept in small letters, and the next part comes', async () => {
    const { first, values } = await start()
    expect([askedFor(first), await values()]).toEqual(['next', { V: 'a@b.co' }])
  })

  // docs/api.md: a start tells in which form it accepted a message, as a continue does.
  it.fails('goes without telling that it was changed', async () => {
    expect((await start()).first).not.toHaveProperty('lastMessageNewFormat')
  })
})

describe('I7. Going on without a message where an address is asked for', () => {
  it('asks again', async () => {
    expect(await outcomeOf(await ask(input('email input')))).toMatchObject(refusedWith(aboutMail))
  })
})

describe('I8. An address of a page that is none, without a text for it', () => {
  it('is refused with the general sentence', async () => {
    expect(await outcomeOf(await ask(input('url input')), 'no page')).toMatchObject(refusedWith(generic))
  })
})

describe('I9. An e-mail address that is none, with a text of the flow', () => {
  it("is refused with the sentence for addresses, and not with the flow's", async () => {
    const settings = { general: { systemMessages: { invalidMessage: 'Nope' } } }
    const [mail, page] = [
      await ask(input('email input'), {}, { settings }),
      await ask(input('url input'), {}, { settings }),
    ]
    expect(await outcomeOf(mail, 'x')).toMatchObject(refusedWith(aboutMail))
    expect(await outcomeOf(page, 'x')).toMatchObject(refusedWith('Nope'))
  })
})

describe('I10. The text for a refused reply', () => {
  const block = input('email input', { retryMessageContent: '**no**' })

  it('is what is asked for: markdown', async () => {
    const { say } = await ask(block)
    expect(messagesOf(await say('x'))).toEqual([
      { id: 'i', type: 'text', content: { type: 'markdown', markdown: '**no**' } },
    ])
  })

  it('is what is asked for: rich text', async () => {
    const { say } = await ask(block, {}, {}, {})
    const richText = [{ type: 'p', children: [{ text: '**no**' }] }]
    expect(messagesOf(await say('x'))).toEqual([
      { id: 'i', type: 'text', content: { type: 'richText', richText } },
    ])
  })
})

describe('I11. A number with a bound that has no value', () => {
  it('has no bound', async () => {
    const block = input('number input', { variableId: 'vV', min: '{{M}}' })
    const conversation = await ask(block, { V: undefined, M: undefined })
    expect(inputOf(conversation.first)?.['options']).toEqual({ variableId: 'vV' })
    expect(await outcomeOf(conversation, '-1000000')).toMatchObject(accepted('-1000000'))
  })
})

describe('I12. A date without bounds', () => {
  it.each([undefined, {}])('has none, with the options %j', async (options) => {
    const { first, say } = await ask(input('date input', options))
    expect(inputOf(first)).toEqual({ id: 'i', type: 'date input', ...(options && { options }) })
    expect(askedFor(await say('2024-03-05'))).toBe('next')
  })
})

describe('I13. A choice of which all items are hidden', () => {
  it('has no items', async () => {
    const displayCondition = { isEnabled: true, condition: { comparisons: [] } }
    const { first } = await ask(
      input('choice input', undefined, { items: [{ id: 'a', content: 'A', displayCondition }] }),
    )
    expect(inputOf(first)).toMatchObject({ id: 'i', items: [] })
  })
})

const several = (more: Json[] = [{}, {}, {}]) =>
  input(
    'choice input',
    { isMultipleChoice: true, variableId: 'vV' },
    {
      items: ['Tea', 'Milk', 'Ale'].map((content, index) => ({ id: `c${content}`, content, ...more[index] })),
    },
  )

describe('I14. Several choices by their numbers', () => {
  it('are taken in the order that is shown', async () => {
    const conversation = await ask(several(), { V: undefined })
    expect(await outcomeOf(conversation, '2 and 1')).toMatchObject(accepted('Tea, Milk'))
  })
})

describe('I15. An item with an edge, among several choices', () => {
  it('leaves by the edge of the block', async () => {
    const group = (id: string) => ({ id, title: id, blocks: [{ id: `in-${id}`, type: 'text input' }] })
    const block = { ...several([{ outgoingEdgeId: 'e-item' }]), outgoingEdgeId: 'e-block' }
    const { say } = await converse({
      variables: declare({ V: undefined }),
      groups: [{ id: 'g1', title: 'g1', blocks: [block] }, group('item'), group('block')],
      edges: ['item', 'block'].map((id) => ({ id: `e-${id}`, to: { groupId: id } })),
    })
    expect(askedFor(await say('Tea'))).toBe('in-block')
  })
})

const listAsText = '["x","y"]'

describe('I16. A choice from a text that is a list', () => {
  it('has an item for each element', async () => {
    const block = input('choice input', { dynamicVariableId: 'vD' }, { items: [{ id: 'a', content: 'A' }] })
    const { first } = await ask(block, { D: listAsText })
    expect(inputOf(first)?.['items']).toEqual([
      { id: 'choice0', content: 'x' },
      { id: 'choice1', content: 'y' },
    ])
  })
})

describe('I17. A choice of pictures from a text that is a list', () => {
  it('has one item', async () => {
    const options = { dynamicItems: { isEnabled: true, pictureSrcsVariableId: 'vD' } }
    const { first } = await ask(input('picture choice input', options, { items: [] }), { D: listAsText })
    expect(inputOf(first)?.['items']).toMatchObject([{ id: '0', pictureSrc: listAsText }])
  })
})

describe('I18. The text of a button, said to cards', () => {
  it('chooses nothing', async () => {
    const items = [{ id: 'k', title: 'Alps', paths: [{ id: 'p', text: 'Book' }] }]
    const block = input('cards', { variableId: 'vV' }, { items })
    expect(await outcomeOf(await ask(block, { V: undefined }), 'Book')).toMatchObject(refusedWith(generic))
    expect(await outcomeOf(await ask(block, { V: undefined }), 'Alps')).toMatchObject(accepted('Alps'))
  })
})

const file = (options: Json) => ask(input('file input', { variableId: 'vV', ...options }), { V: 'before' })

describe('I19. No message to a file that is optional', () => {
  it('skips it, and saves nothing', async () => {
    expect(await outcomeOf(await file({ isRequired: false }))).toMatchObject(accepted('before'))
    expect(await outcomeOf(await file({}))).toMatchObject(refusedWith(generic))
  })
})

describe('I20. An empty text to a file that is optional', () => {
  it('is refused', async () => {
    expect(await outcomeOf(await file({ isRequired: false }), '')).toMatchObject(refusedWith(generic))
  })
})

describe('I21. A file type that is not known', () => {
  it('allows nothing', async () => {
    const allowedFileTypes = { isEnabled: true, types: ['.csv'] }
    const url = 'https://f.example/a.csv'
    expect(await outcomeOf(await file({ allowedFileTypes }), url)).toMatchObject(refusedWith(generic))
    const off = { allowedFileTypes: { ...allowedFileTypes, isEnabled: false } }
    expect(await outcomeOf(await file(off), url)).toMatchObject(accepted(url))
  })
})

describe('I22. An empty text to a rating', () => {
  it('is accepted, and empties the variable', async () => {
    const conversation = await ask(input('rating input', { variableId: 'vV' }), { V: '3' })
    expect(await outcomeOf(conversation, '')).toMatchObject(accepted(null))
  })
})

const recording = { type: 'audio', url: 'https://f.example/a.webm' }

describe('I23. A recording where an address is asked for', () => {
  it('is refused', async () => {
    expect(await outcomeOf(await ask(input('email input')), recording)).toMatchObject(refusedWith(aboutMail))
  })
})

describe('I24. A recording to a text input without recordings', () => {
  it('is accepted, and set nowhere', async () => {
    const options = { variableId: 'vV', audioClip: { isEnabled: false, saveVariableId: 'vA' } }
    const conversation = await ask(input('text input', options), { V: undefined, A: undefined })
    expect(await outcomeOf(conversation, recording)).toMatchObject(accepted(null))
    expect(await conversation.values()).toEqual({})
  })
})

describe('I25. An input whose edge does not exist', () => {
  it('ends the path', async () => {
    const block = { ...input('text input', { variableId: 'vV' }), outgoingEdgeId: 'gone' }
    const conversation = await ask(block, { V: undefined })
    expect(await conversation.say('x')).toMatchObject({ messages: [] })
    expect(await conversation.values()).toEqual({ V: 'x' })
  })

  it('asks for nothing more', async () => {
    const { say } = await ask({ ...input('text input'), outgoingEdgeId: 'gone' })
    expect(await say('x')).not.toHaveProperty('input')
  })
})
