import { describe, expect, it } from 'vitest'
import { textInput } from '../../../src/blocks/inputs/text-input.ts'
import { prepareBlock } from '../../support/run-block.ts'

const urls = ['https://f.example/a.png', 'https://f.example/b.pdf']

function prepare(options: object, variables = {}) {
  const block = { id: 'i1', type: 'text input', options }
  return prepareBlock(textInput, block, { variables })
}

describe('a reply to a text input', () => {
  it.each([' Zed Kay ', '', '{{Name}}', '17', 'C:\\dir'])('is accepted as it is: %j', (text) => {
    expect(prepare({ inputMode: 'numeric' }).reply({ type: 'text', text })).toEqual({
      outcome: 'accepted',
      content: text,
    })
  })

  it('is refused when nothing was sent', () => {
    expect(prepare({}).reply()).toMatchObject({ outcome: 'refused' })
  })
})

describe('files sent with a text', () => {
  const attachments = { isEnabled: true, saveVariableId: 'vFiles' }

  it.each([
    ['one as a text', [urls[0]], null, urls[0]],
    ['several as a list', urls, null, urls],
    ['one behind those of a list', [urls[1]], [urls[0]], urls],
    ['several in place of a text', urls, 'old', urls],
  ])('are kept: %s', (_, attachedFileUrls, Files, value) => {
    const reply = { type: 'text', text: 'see these', attachedFileUrls: attachedFileUrls as string[] } as const
    expect(prepare({ attachments }, { Files }).reply(reply)).toEqual({
      outcome: 'accepted',
      content: 'see these',
      assignments: [{ variableId: 'vFiles', value }],
    })
  })

  it.each([
    ['attachments are off', { attachments: { ...attachments, isEnabled: false } }, urls],
    ['attachments have no variable', { attachments: { isEnabled: true } }, urls],
    ['there are none', { attachments }, []],
    ['the block says nothing of attachments', {}, urls],
  ])('set no variable when %s', (_, options, attachedFileUrls) => {
    expect(prepare(options, { Files: null }).reply({ type: 'text', text: 'x', attachedFileUrls })).toEqual({
      outcome: 'accepted',
      content: 'x',
    })
  })
})

describe('a recording', () => {
  const reply = { type: 'audio', url: 'https://f.example/a.webm' } as const

  it('is kept in its own variable, lists included', () => {
    const audioClip = { isEnabled: true, saveVariableId: 'vClip' }
    expect(prepare({ audioClip }, { Clip: ['old'] }).reply(reply)).toEqual({
      outcome: 'accepted',
      content: reply.url,
      assignments: [{ variableId: 'vClip', value: reply.url }],
    })
  })

  it.each([{ variableId: 'vMain' }, { audioClip: { saveVariableId: 'vClip' } }])(
    'is accepted and set no variable with %j',
    (options) => {
      expect(prepare(options, { Main: null, Clip: null }).reply(reply)).toEqual({
        outcome: 'accepted',
        content: reply.url,
      })
    },
  )
})

describe('the files that may be uploaded for a text input', () => {
  const on = { isEnabled: true }

  it.each([
    ['attachments are on', { attachments: on }, 'Auto'],
    ['clips are on', { audioClip: on }, 'Auto'],
    ['both are', { attachments: { ...on, visibility: 'Public' }, audioClip: on }, 'Public'],
    [
      'clips go with attachments that are off',
      { attachments: { visibility: 'Private' }, audioClip: on },
      'Private',
    ],
    ['clips say otherwise', { audioClip: { ...on, visibility: 'Private' } }, 'Auto'],
  ])('are any when %s', (_, options, visibility) => {
    expect(prepare(options).uploads()).toEqual({ extensions: undefined, visibility })
  })

  it.each([
    ['nothing is said', {}],
    ['both are off', { attachments: { isEnabled: false }, audioClip: { isEnabled: false } }],
    ['they only have a variable', { attachments: { saveVariableId: 'vFiles' } }],
  ])('are none when %s', (_, options) => {
    expect(prepare(options).uploads()).toBeUndefined()
  })

  it('are none when there are no options', () => {
    expect(prepareBlock(textInput, { id: 'i1', type: 'text input' }).uploads()).toBeUndefined()
  })
})

it('is called text by reply events', () => {
  expect(textInput.inputName).toBe('text')
})
