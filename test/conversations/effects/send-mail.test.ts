import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createMailSender } from '../../../src/conversations/effects/mail/send-mail.ts'
import type { CredentialScope } from '../../../src/ports/credentials-port.ts'
import type { ResolvedMail } from '../../../src/ports/mailer-port.ts'
import type { FilePlace, UploadedFiles } from '../../../src/ports/uploaded-files-port.ts'
import { resultOwner } from '../../../src/uploads/upload-path.ts'
import { account, createOutsideWorld, live, mailOf, turnIn } from '../../fixtures/reaching-out.ts'

const scope: CredentialScope = { flowId: 'flow-1', workspaceId: undefined, kind: 'live' }
const owner = resultOwner('result-1')

/** What is uploaded, by name; files are closed or read to their end. */
function createFiles(contents: Record<string, Buffer>) {
  const open: string[] = []
  const asked: FilePlace[] = []
  const files: UploadedFiles = {
    async open(place) {
      asked.push(place)
      const content = contents[place.name]
      if (!content) return undefined
      open.push(place.name)
      const done = () => void open.splice(open.indexOf(place.name), 1)
      return {
        size: content.length,
        read: () => Readable.from([content.subarray(0, 1), content.subarray(1)]).on('end', done),
        close: async () => done(),
      }
    },
    save: async () => 'full',
    roomFor: async () => 'full',
    removeOwned: async () => undefined,
    isWritable: async () => true,
    close: async () => undefined,
  }
  return { files, open, asked }
}

/** The post office of one turn after another, in one conversation. */
function setup(contents?: Record<string, Buffer>) {
  const uploads = contents && createFiles(contents)
  const world = createOutsideWorld({ files: uploads?.files })
  const turn = turnIn(world.chat)
  const { signal } = new AbortController()
  const openTurn = () => {
    const post = createMailSender(turn, world.chat)
    const send = (posted: ResolvedMail) => world.chat.mailer.send(posted, signal)
    return (mail = mailOf(1), from = scope) =>
      post(mail, { scope: from, send, sendByGmail: async () => ({ kind: 'sent', details: {} }) })
  }
  return { ...world, turn, signal, openTurn, post: openTurn(), uploads }
}

const sent = { kind: 'sent', details: {} }
const refused = (message: string) => ({ kind: 'refused', message })

describe('a mail', () => {
  it('is handed over with its account', async () => {
    const { post, posted, signal } = setup()
    expect(await post(mailOf(1, { subject: 'Quote' }))).toEqual(sent)
    const { credentialsId: _, ...mail } = mailOf(1, { subject: 'Quote' })
    expect(posted).toEqual([{ mail: { ...mail, account }, signal }])
  })

  it('is refused without an account', async () => {
    const { post, posted, turn } = setup()
    expect(await post(mailOf(1, { credentialsId: 'other' }))).toEqual(
      refused('There are no such credentials, or this flow may not use them'),
    )
    expect([posted, turn.conversation.mails]).toEqual([[], 0])
  })

  it.each(['preview', 'trusted preview'] as const)('is refused from a %s', async (kind) => {
    const { post, posted, borrowed } = setup()
    expect(await post(mailOf(1), { ...scope, kind })).toEqual(refused('Emails are not sent in preview mode'))
    expect([posted, borrowed]).toEqual([[], []])
  })
})

describe('the mails of a turn', () => {
  it('are five: the sixth is refused, and the next turn may send again', async () => {
    const { post, openTurn, posted } = setup()
    for (let nth = 1; nth <= 5; nth++) expect(await post(mailOf(nth))).toEqual(sent)
    expect(await post(mailOf(6))).toEqual(refused('A turn sends at most 5 emails'))
    expect(posted.length).toBe(5)
    expect(await openTurn()(mailOf(6))).toEqual(sent)
  })

  it('count when they fail', async () => {
    const { post, answers } = setup()
    const failed = { kind: 'failed' as const, message: 'No connection', details: {} }
    answers.mail = async () => failed as never
    for (let nth = 1; nth <= 5; nth++) expect(await post(mailOf(nth))).toEqual(failed)
    expect(await post(mailOf(6))).toEqual(refused('A turn sends at most 5 emails'))
  })

  it('are never the same twice in a row', async () => {
    const { post, posted, turn } = setup()
    expect(await post(mailOf(1))).toEqual(sent)
    expect(await post(mailOf(1))).toEqual(refused('The same email is not sent twice in a row'))
    expect(await post(mailOf(2))).toEqual(sent)
    expect(await post(mailOf(1))).toEqual(sent)
    expect([posted.length, turn.conversation.mails]).toEqual([3, 3])
  })

  it('may be those of the turn before', async () => {
    const { post, openTurn } = setup()
    await post(mailOf(1))
    expect(await openTurn()(mailOf(1))).toEqual(sent)
  })
})

it('sends no more than twenty mails from one conversation', async () => {
  const { openTurn, posted, turn } = setup()
  for (let turns = 1; turns <= 4; turns++) {
    const post = openTurn()
    for (let nth = 1; nth <= 5; nth++) await post(mailOf(nth))
  }
  expect(await openTurn()(mailOf(1))).toEqual(refused('A conversation sends at most 20 emails'))
  expect([posted.length, turn.conversation.mails]).toEqual([20, 20])
})

describe('an attachment', () => {
  const at = (name: string, folder = owner) => `https://bot.example/uploads/${folder}/${name}`
  const foreign = refused(
    'Only files that were uploaded in this conversation can be attached, 10 MiB at most',
  )

  it('is read from what the conversation uploaded', async () => {
    const { post, posted, uploads } = setup({ 'a.pdf': Buffer.from('%PDF'), 'b.png': Buffer.from('PNG') })
    const attachments = [at('a.pdf'), `https://bot.example/uploads/private/${owner}/b.png`]
    expect(await post(mailOf(1, { attachments }))).toEqual(sent)
    expect(posted[0]?.mail.attachments).toEqual([
      { filename: 'a.pdf', content: Buffer.from('%PDF') },
      { filename: 'b.png', content: Buffer.from('PNG') },
    ])
    expect(uploads?.asked).toEqual([
      { owner, name: 'a.pdf', isPrivate: false },
      { owner, name: 'b.png', isPrivate: true },
    ])
    expect(uploads?.open).toEqual([])
  })

  it.each([
    ['another result', at('a.pdf', resultOwner('result-2'))],
    ['a preview', at('a.pdf', resultOwner('preview:s1'))],
    ['another service', 'https://elsewhere.example/a.pdf'],
    ['a place outside of the folder', at('../../etc/passwd')],
    ['a file that is gone', at('gone.pdf')],
    ['nothing that is an address', 'a.pdf'],
  ])('is refused when it is of %s', async (_name, address) => {
    const { post, posted, turn } = setup({ 'a.pdf': Buffer.from('%PDF') })
    expect(await post(mailOf(1, { attachments: [at('a.pdf'), address] }))).toEqual(foreign)
    expect([posted, turn.conversation.mails]).toEqual([[], 0])
  })

  it('is refused where nothing can be uploaded', async () => {
    const { post } = setup()
    expect(await post(mailOf(1, { attachments: [at('a.pdf')] }))).toEqual(foreign)
  })

  it('has 10 MiB, together with the others', async () => {
    const half = Buffer.alloc(5 * 1024 * 1024)
    const { post, posted, uploads } = setup({ 'a.png': half, 'b.png': half, 'c.png': Buffer.alloc(1) })
    expect(await post(mailOf(1, { attachments: [at('a.png'), at('b.png')] }))).toEqual(sent)
    expect(await post(mailOf(2, { attachments: [at('a.png'), at('b.png'), at('c.png')] }))).toEqual(foreign)
    expect(posted.length).toBe(1)
    expect(uploads?.open).toEqual([])
  })

  it('belongs to the flow that is walked when the mail is sent', async () => {
    const { post, turn, chat } = setup({ 'a.png': Buffer.from('PNG') })
    const [frame] = turnIn(chat, live, { id: 'linked' }).conversation.frames
    turn.enterFrame({ ...frame, resultId: 'result-2' })
    expect(await post(mailOf(1, { attachments: [at('a.png')] }))).toEqual(foreign)
    turn.conversation.frames.pop()
    turn.currentFrame = turn.conversation.frames[0]
    expect(await post(mailOf(1, { attachments: [at('a.png')] }))).toEqual(sent)
  })
})
