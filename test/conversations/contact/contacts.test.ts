import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { contactKey } from '../../../src/conversations/contact/met-contact.ts'
import { compileRecorded, readRecordingFile } from '../../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../../src/tooling/replay/replay-recording.ts'
import { serveChat } from '../../fixtures/served-chat.ts'
import { bubble, flowLink, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { adminTokens } from '../../support/admin-tokens.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'

const contactSecret = 'a secret of the operator, at least 32 long'.replaceAll(' ', '-')
const operator = { authorization: 'Bearer t0ken' }
const remembered = (name: string, more: Json = {}) => variable(name, { scope: 'contact', ...more })

/** Asks for a drink, and greets with the one of the last time. */
const bar = wholeDefinition({
  variables: [remembered('Drink', { value: 'water' }), variable('Table')],
  blocks: [bubble('b1', '{{Drink}} at {{Table}}'), textInput('i1', 'vDrink'), textInput('i2', 'vTable')],
})

const inMarkdown = { textBubbleContentFormat: 'markdown' }

async function serve(definitions: readonly Json[] = [bar], options: Parameters<typeof serveChat>[1] = {}) {
  const { start, preview, ...served } = await serveChat(definitions, {
    contactSecret,
    ...options,
    config: { adminTokens: adminTokens('t0ken') },
  })
  /** The first message, as markdown. */
  const textOf = (response: { json(): Json }): string => {
    const [message] = response.json()['messages'] as { content: { markdown: string } }[]
    return message?.content.markdown ?? ''
  }
  const memoryOf = async (id: string, isVerified = true) => {
    const { contact } = await served.chat.contacts.find(contactKey({ id, isVerified }))
    return contact && JSON.parse(contact.memory)
  }
  return {
    ...served,
    textOf,
    memoryOf,
    start: (body: object, headers?: Record<string, string>) => start({ ...body, ...inMarkdown }, headers),
    preview: (body: object) => preview({ ...body, ...inMarkdown }),
  }
}

function sign(payload: object, { secret = contactSecret, alg = 'HS256' } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg, typ: 'JWT' })}.${part(payload)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const exp = Math.floor(fixedNow / 1000) + 60

describe('the contact of a start', () => {
  it('is vouched for by a token of the operator, and a mere word without', async () => {
    const { start } = await serve()
    const contact = { id: 'ann', name: 'Ann' }
    const own = await start({ contact }, operator)
    expect(own.json()['contact']).toEqual({ id: 'ann', isVerified: true })
    for (const authorization of ['Bearer wrong', 'Bearer preview'])
      expect((await start({ contact }, { authorization })).json()['contact'].isVerified).toBe(false)
    expect((await start({ contact })).json()['contact']).toEqual({ id: 'ann', isVerified: false })
    expect((await start({})).json()).not.toHaveProperty('contact')
  })

  it('is vouched for by a signature', async () => {
    const { start } = await serve()
    const response = await start({ contactToken: sign({ id: 'ann', exp }) })
    expect(response.json()['contact']).toEqual({ id: 'ann', isVerified: true })
  })

  it.each([
    [
      'another secret',
      sign({ id: 'ann', exp }, { secret: 'x'.repeat(32) }),
      'has a signature that is not by',
    ],
    ['no algorithm', sign({ id: 'ann', exp }, { alg: 'none' }), 'is no JWT'],
    ['no end', sign({ id: 'ann' }), 'has no exp'],
    ['an end that has come', sign({ id: 'ann', exp: exp - 60 }), 'has expired'],
    ['nobody', sign({ exp }), "holds a payload, which must have required property 'id'"],
    ['a long id', sign({ id: 'x'.repeat(129), exp }), 'holds /id, which'],
    [
      'an unknown zone',
      sign({ id: 'ann', timeZone: 'Mars/Crater', exp }),
      'names the time zone "Mars/Crater"',
    ],
    ['half a character in its id', sign({ id: 'a\ud83d', exp }), 'holds /id, which has half a character'],
    [
      'a changed payload',
      sign({ id: 'ann', exp }).replace(/\.[^.]+\./, `.${btoa('{"id":"bob"}')}.`),
      'has a signature',
    ],
    ['anything', 'x', 'is no JWT'],
  ])('is refused with %s in its token', async (_name, contactToken, message) => {
    const { start } = await serve()
    const response = await start({ contactToken })
    expect(response.statusCode).toBe(400)
    const [error] = response.json()['errors'] as Json[]
    expect(error).toEqual({ pointer: '/contactToken', message: expect.stringContaining(message) })
  })

  it.each<[string, object, string]>([
    ['two contacts', { contact: { id: 'a' }, contactToken: 'x' }, '/contactToken'],
    ['no id', { contact: {} }, '/contact'],
    ['half a character in its id', { contact: { id: 'a\ud83d' } }, '/contact/id'],
    [
      'too many attributes',
      { contact: { id: 'a', attributes: Object.fromEntries([...'x'.repeat(33)].map((x, i) => [x + i, 1])) } },
      '/contact/attributes',
    ],
    [
      'a long attribute',
      { contact: { id: 'a', attributes: { A: 'x'.repeat(501) } } },
      '/contact/attributes/A',
    ],
    ['an unknown zone', { contact: { id: 'a', timeZone: 'Mars/Crater' } }, '/contact/timeZone'],
    ['a resume of nobody', { resume: true }, '/resume'],
    ['a resume by a mere word', { contact: { id: 'a' }, resume: true }, '/resume'],
  ])('is refused with %s, and where', async (_name, body, pointer) => {
    const { start } = await serve()
    const response = await start(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()['errors'][0].pointer).toBe(pointer)
  })

  it('needs a secret for its token', async () => {
    const { start } = await serve([bar], { contactSecret: undefined })
    const response = await start({ contactToken: sign({ id: 'ann', exp }) })
    expect(response.json()['errors'][0].message).toMatch(/start the service with CONTACT_SECRET/)
  })

  it('fills variables by its attributes, which what is prefilled changes only where nobody vouches for them', async () => {
    const { start, textOf } = await serve()
    const contact = { id: 'ann', attributes: { Table: 7 } }
    const prefilledVariables = { Table: 8, Drink: 'tea' }
    expect(textOf(await start({ contact }))).toContain('water at 7')
    expect(textOf(await start({ contact, prefilledVariables }))).toContain('tea at 8')
    const contactToken = sign({ ...contact, exp })
    expect(textOf(await start({ contactToken, prefilledVariables }))).toContain('tea at 7')
    expect(textOf(await start({ contact, prefilledVariables }, operator))).toContain('tea at 7')
  })
})

describe('the memory of a contact', () => {
  it('goes from one conversation to the next, each turn committed', async () => {
    const { start, goOn, textOf, memoryOf } = await serve()
    const contact = { id: 'ann' }
    expect(textOf(await start({ contact }, operator))).toContain('water at ')
    expect(await memoryOf('ann')).toEqual({})
    await goOn('tea')
    expect(await memoryOf('ann')).toEqual({ Drink: 'tea' })
    await goOn('7')
    expect(await memoryOf('ann')).toEqual({ Drink: 'tea' })
    expect(textOf(await start({ contact }, operator))).toContain('tea at ')
    expect(textOf(await start({ contactToken: sign({ ...contact, exp }) }))).toContain('tea at ')
    expect(textOf(await start({ contact, prefilledVariables: { Drink: 'milk' } }, operator))).toContain(
      'milk',
    )
    expect(await memoryOf('ann')).toEqual({ Drink: 'milk' })
  })

  it('has no character that databases refuse', async () => {
    const { start, goOn, memoryOf } = await serve()
    await start({ contact: { id: 'ann' } }, operator)
    await goOn('\\u0000 t\0a')
    expect(await memoryOf('ann')).toEqual({ Drink: '\\u0000 t\uFFFDa' })
  })

  it('is neither read nor written by a mere word, nor in another conversation', async () => {
    const { start, goOn, preview, textOf, memoryOf } = await serve()
    await start({ contact: { id: 'ann' } }, operator)
    await goOn('tea')
    for (const body of [{ contact: { id: 'ann' } }, { contact: { id: 'bob' } }, {}])
      expect(textOf(await start(body))).toContain('water at ')
    expect(textOf(await preview({ flow: bar, contact: { id: 'ann' } }))).toContain('water at ')
    await goOn('poison', {}, 'session-2')
    expect(await memoryOf('ann')).toEqual({ Drink: 'tea' })
    expect(await memoryOf('ann', false)).toEqual({})
    expect(await memoryOf('bob')).toBeUndefined()
  })

  it('is there in a linked flow, which writes it as well', async () => {
    const linked = wholeDefinition({
      id: 'flow-2',
      variables: [remembered('Drink')],
      blocks: [bubble('b2', 'Again {{Drink}}?'), textInput('i3', 'vDrink')],
    })
    const linking = wholeDefinition({ blocks: [flowLink('l1', 'flow-2')] })
    const { start, goOn, textOf, memoryOf } = await serve([linking, linked])
    await start({ contact: { id: 'ann' } }, operator)
    await goOn('tea')
    expect(await memoryOf('ann')).toEqual({ Drink: 'tea' })
    expect(textOf(await start({ contact: { id: 'ann' } }, operator))).toContain('Again tea?')
  })

  it('is what a recording begins with, so that it is run again as it was', async () => {
    const recordings = { maxLength: 256 * 1024, live: { share: 1, isForErrors: false } }
    const { start, goOn, chat } = await serve([bar], { recordings })
    const contact = { id: 'ann', attributes: { Table: 7 } }
    await start({ contact }, operator)
    await goOn('tea')
    await start({ contact }, operator)
    await goOn('8', {}, 'session-2')
    const recorded = await chat.chat.resultRecording({ publicId: 'flow-1', resultId: 'result-2' })
    const file = readRecordingFile(JSON.stringify(recorded))
    expect(JSON.stringify(file.turns[0])).toContain('tea')
    const programs = compileRecorded(file, { registry: blockRegistry })
    const { turns, divergence } = await replayRecording(file, { programs })
    expect([turns.length, divergence]).toEqual([2, undefined])
  })

  it('forgets what is emptied, and what has no room with a log', async () => {
    const flow = wholeDefinition({
      variables: [remembered('A'), remembered('B')],
      blocks: [setVariable('s1', 'vA', { type: 'Empty' }), textInput('i1', 'vA')],
    })
    const { start, chat, memoryOf } = await serve([flow])
    await start({ contact: { id: 'ann' }, prefilledVariables: { A: '1', B: 'x'.repeat(20_000) } }, operator)
    expect(await memoryOf('ann')).toEqual({})
    const [link] = await chat.contacts.links(contactKey({ id: 'ann', isVerified: true }), { limit: 1 })
    const result = await chat.results.get('flow-1', link?.resultId ?? '')
    expect(result?.logs.map(({ description }) => description)).toEqual([
      expect.stringContaining('"B" is not remembered'),
    ])
  })
})

describe('a start that resumes', () => {
  const contact = { id: 'ann' }
  const resume = { contact, resume: true }

  it('gives the open conversation back with what waits, and begins the next once it has ended', async () => {
    const { start, goOn } = await serve()
    const first = (await start(resume, operator)).json()
    expect(first).not.toHaveProperty('isResumed')
    const { sessionId } = first
    await goOn('tea', {}, sessionId)
    const again = (await start(resume, operator)).json()
    expect(again).toMatchObject({ sessionId, resultId: first.resultId, isResumed: true, messages: [] })
    expect(again.contact).toEqual({ id: 'ann', isVerified: true })
    expect(again.input.id).toBe('i2')
    expect(again.flow).toEqual(first.flow)
    await goOn('7', {}, sessionId)
    const next = (await start(resume, operator)).json()
    expect(next.sessionId).not.toBe(sessionId)
    expect(next).not.toHaveProperty('isResumed')
    expect((await start(resume, operator)).json().sessionId).toBe(next.sessionId)
  })

  it('takes over the one that was begun without it, and leaves those of others alone', async () => {
    const other = wholeDefinition({ id: 'flow-2', blocks: [textInput('i1')] })
    const { start, post } = await serve([bar, other])
    await start({ contact }, operator)
    await start({ contact: { id: 'bob' } }, operator)
    await start({ contact })
    await post('/v1/flows/flow-2/startChat', resume, operator)
    const latest = (await start({ contact }, operator)).json().sessionId
    expect((await start(resume, operator)).json().sessionId).toBe(latest)
  })

  it('ends in one conversation, however many come at once', async () => {
    const { start } = await serve()
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(resume, operator)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map((answer) => answer.json().sessionId)).size).toBe(1)
  })
})
