import { describe, expect, it } from 'vitest'
import { urlInput } from '../../../src/blocks/inputs/address-inputs.ts'
import { prepareBlock } from '../../support/run-block.ts'

function prepare(options: object = {}, variables = {}) {
  const block = { id: 'i1', type: 'url input', options }
  return prepareBlock(urlInput, block, { variables })
}

function judge(text: string) {
  const verdict = prepare().reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

describe('a reply to a web address input', () => {
  it.each([
    'a.io',
    'www.a.io/p?q=1#h',
    'a.io:8080',
    '1.2.3.4',
    'https://u:p@a.io',
    'https://münchen.de',
    'HTTPS://A.IO',
    `a.io/${'x'.repeat(2078)}`,
  ])('is saved as it was typed: %j', (text) => {
    expect(judge(text)).toBe(text)
  })

  it.each([
    'ftp://a.io',
    '//a.io',
    'localhost',
    'http://localhost:3000',
    'mailto:a@b.co',
    'javascript:alert(1)',
    'javascript:a.io',
    'https:a.io',
    'HTTP:a.io/b',
    'http:/a.io',
    'https:secret@a.io',
    ' a.io',
    'foo.b',
    '1.5',
    'a.io,',
    'exa_mple.com',
    'my site',
    '',
    `a.io/${'x'.repeat(2080)}`,
  ])('is refused when it is no address: %j', (text) => {
    expect(judge(text)).toBe('refused')
  })

  it('is refused when it is a recording, or nothing', () => {
    expect(prepare().reply({ type: 'audio', url: 'https://a.io' })).toMatchObject({ outcome: 'refused' })
    expect(prepare().reply()).toMatchObject({ outcome: 'refused' })
  })
})

describe('the text for a refused web address', () => {
  it.each([
    [
      "the block's own",
      { retryMessageContent: '{{Name}}, that link looks broken.' },
      'Ann, that link looks broken.',
    ],
    ["the flow's when the block has none", {}, undefined],
    ["the flow's when the block's comes out empty", { retryMessageContent: '{{Gone}}' }, undefined],
  ])('is %s', (_, options, text) => {
    expect(prepare(options, { Name: 'Ann' }).retryMessage()).toBe(text)
  })
})
