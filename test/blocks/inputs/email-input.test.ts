import { describe, expect, it } from 'vitest'
import { emailInput } from '../../../src/blocks/inputs/address-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

function prepare(options: object = {}, variables = {}) {
  const block = { id: 'i1', type: 'email input', options }
  return prepareBlock(emailInput, block, { variables })
}

function judge(text: string) {
  const verdict = prepare().reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

describe('a reply to an e-mail input', () => {
  it.each([
    ['A.B@Ex.COM', 'a.b@ex.com'],
    ['Ann@Mail.Example', 'ann@mail.example'],
    ['a+tag@b.co', 'a+tag@b.co'],
    ['É@b.co', 'é@b.co'],
    ['a@-b.co', 'a@-b.co'],
    ['"X y"@b.co', '"x y"@b.co'],
    ['"a@b"@b.co', '"a@b"@b.co'],
    ['a@[1.2.3.4]', 'a@[1.2.3.4]'],
  ])('is saved in lower case: %j', (text, content) => {
    expect(judge(text)).toBe(content)
  })

  it.each([
    ' a@b.co',
    'a@b.co ',
    'a@b',
    'a@b.c',
    'a..b@c.co',
    '.a@c.co',
    'a.@c.co',
    'a@b_c.co',
    'a@b.co.',
    'a@b..co',
    'a b@c.co',
    'a@b@c.co',
    '@b.co',
    'b.co',
    'a@',
    '""@b.co',
    'a@[1.2.3]',
    'a@[1.2.3.4444]',
    'a@1.2.3.4',
    'a@b.co\n',
    '',
  ])('is refused when it is no address: %j', (text) => {
    expect(judge(text)).toBe('refused')
  })

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare().reply({ type: 'audio', url: 'a@b.co' })).toMatchObject({ outcome: 'refused' })
    expect(prepare().reply()).toMatchObject({ outcome: 'refused' })
  })

  it.each(['a', 'a.', '@', '"', 'a@', '.'])('is refused however long it is: %j', (piece) => {
    expect(judge(piece.repeat(16_384 / piece.length))).toBe('refused')
    expect(judge(`a@${piece.repeat(16_000 / piece.length)}!`)).toBe('refused')
  })
})

describe('the text for a refused e-mail address', () => {
  it.each([
    ['its own with values', { retryMessageContent: '{{Name}}, once more?' }, 'Ann, once more?'],
    ['that of the language of the flow when it has none', {}, undefined],
    ['that of the language when its own is empty', { retryMessageContent: '' }, undefined],
    ['that of the language when its own comes out empty', { retryMessageContent: '{{Gone}}' }, undefined],
  ])('is %s', (_, options, text) => {
    expect(prepare(options, { Name: 'Ann' }).retryMessage()).toBe(text)
  })

  it('is shown with the input too', () => {
    const { value } = prepare({ retryMessageContent: '{{Name}}?' }, { Name: 'Ann' }).run().input ?? {}
    expect(value).toEqual({ id: 'i1', type: 'email input', options: { retryMessageContent: 'Ann?' } })
  })
})
