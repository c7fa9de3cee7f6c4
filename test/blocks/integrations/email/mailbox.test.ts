import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMailbox, writeMailbox } from '../../../../src/blocks/integrations/email/mailbox.ts'

describe('a mailbox', () => {
  it.each([
    ['ada@mail.example', { email: 'ada@mail.example' }],
    ['  ada@mail.example\n', { email: 'ada@mail.example' }],
    ['<ada@mail.example>', { email: 'ada@mail.example' }],
    ['Ada <ada@mail.example>', { name: 'Ada', email: 'ada@mail.example' }],
    ['Ada<ada@mail.example>', { name: 'Ada', email: 'ada@mail.example' }],
    ['"Ada" < ada@mail.example >', { name: 'Ada', email: 'ada@mail.example' }],
    ['Doe, Jane <jane@mail.example>', { name: 'Doe, Jane', email: 'jane@mail.example' }],
    ['"Jane \\"J\\" \\\\ Doe" <jane@mail.example>', { name: 'Jane "J" \\ Doe', email: 'jane@mail.example' }],
    ['"" <ada@mail.example>', { email: 'ada@mail.example' }],
    ['" <ada@mail.example>', { name: '"', email: 'ada@mail.example' }],
    ['a@b <ada@mail.example>', { name: 'a@b', email: 'ada@mail.example' }],
    ['Ada\r\nBcc: x@y <ada@mail.example>', { name: 'Ada Bcc: x@y', email: 'ada@mail.example' }],
    ['Ada\u0000\u0085 L <ada@mail.example>', { name: 'Ada L', email: 'ada@mail.example' }],
    ["o'hara+shop.2@mail.example", { email: "o'hara+shop.2@mail.example" }],
    ['desk@localhost', { email: 'desk@localhost' }],
    ['zoë@bücher.example', { email: 'zoë@bücher.example' }],
    ['\ud800 <ada@mail.example>', { name: '\ufffd', email: 'ada@mail.example' }],
  ])('is read from %j', (text, mailbox) => {
    expect(readMailbox(text)).toEqual(mailbox)
  })

  it.each([
    '',
    '<>',
    ' <>',
    'Ada',
    'Ada <>',
    'ada@',
    '@mail.example',
    'ada mail.example',
    'ada@mail..example',
    'ada@.example',
    'ada@mail.example.',
    '.ada@mail.example',
    'a..da@mail.example',
    'ada@mail@example',
    'ada@mail example',
    'ada@mail.example, eve@mail.example',
    'ada@mail.example;eve@mail.example',
    'ada@mail.example\r\nBcc: eve@mail.example',
    'ada@mail.example>\r\nBcc: <eve@mail.example',
    'Léa <b> <lea@mail.example>',
    'Ada <ada@mail.example>, Eve <eve@mail.example>',
    'Ada <ada@mail.example',
    'Ada ada@mail.example>',
    'Ada <ada@mail.example> x',
    'ada@mail.example?cc=eve@mail.example',
    'ada@mail.exa?mple',
    '"a b"@mail.example',
    'ada@[127.0.0.1]',
    `${'a'.repeat(250)}@mail.example`,
  ])('is not read from %j', (text) => {
    expect(readMailbox(text)).toBeUndefined()
  })

  it('is written so that it reads as the same', () => {
    const name = fc.string().map((text) => readMailbox(`${text} <a@b>`)?.name)
    fc.assert(
      fc.property(name, (text) => {
        const mailbox = { email: 'ada@mail.example', ...(text !== undefined && { name: text }) }
        // Quotes around a name are its writing, and no part of it.
        fc.pre(!(text?.startsWith('"') || text?.startsWith(' ') || text?.endsWith(' ')))
        expect(readMailbox(writeMailbox(mailbox))).toEqual(mailbox)
      }),
    )
  })

  it.each(['<', 'a@', '"', 'a.', ' ', '<>', '\\"', '@', '-.'])('is looked for once in many %j', (piece) => {
    expect(readMailbox(piece.repeat(200_000))).toBeUndefined()
    expect(readMailbox(`${piece.repeat(200_000)}> <`)).toBeUndefined()
  })
})
