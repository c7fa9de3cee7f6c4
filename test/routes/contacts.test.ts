import { describe, expect, it } from 'vitest'
import { contactKey } from '../../src/conversations/contact/met-contact.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { flowLink, textInput, variable } from '../fixtures/short-flows.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

const operator = { authorization: 'Bearer t0ken' }
const ann = { id: 'ann/1', name: 'Ann', attributes: { Plan: 'pro' } }
const path = `/v1/contacts/${encodeURIComponent(ann.id)}`

const asking = wholeDefinition({
  variables: [variable('Drink', { scope: 'contact' }), variable('Pin', { isSessionVariable: true })],
  blocks: [textInput('i1', 'vDrink'), textInput('i2', 'vPin'), textInput('i3')],
})

async function serve(definitions: readonly Json[] = [asking]) {
  const served = await serveChat(definitions, { config: { adminTokens: adminTokens('t0ken') } })
  const ask = (method: 'GET' | 'DELETE', url = path, headers: Record<string, string> = operator) =>
    served.app.inject({ method, url, headers })
  return { ...served, ask }
}

describe('GET /v1/contacts/{contactId}', () => {
  it('has profile, memory and conversations, whoever has named the contact', async () => {
    const { start, goOn, ask } = await serve()
    await start({ contact: ann }, operator)
    await goOn('tea')
    await start({ contact: { id: ann.id, name: 'Mallory' } })
    await start({ contact: { id: 'bob' } }, operator)
    const response = await ask('GET')
    expect(response.json()).toEqual({
      id: ann.id,
      profile: ann,
      memory: { Drink: 'tea' },
      memoryRevision: 1,
      firstSeenAt: '2026-11-21T09:17:01.712Z',
      lastSeenAt: '2026-11-21T09:17:01.712Z',
      conversations: [
        {
          sessionId: 'session-2',
          flowId: 'flow-1',
          resultId: 'result-2',
          startedAt: '2026-11-21T09:17:01.712Z',
          isVerified: false,
        },
        {
          sessionId: 'session-1',
          flowId: 'flow-1',
          resultId: 'result-1',
          startedAt: '2026-11-21T09:17:01.712Z',
          isVerified: true,
        },
      ],
    })
  })

  it('has the conversations by pages', async () => {
    const { start, ask } = await serve()
    for (const headers of [operator, {}, operator]) await start({ contact: ann }, headers)
    const idsOf = (page: Json) => (page['conversations'] as Json[]).map(({ sessionId }) => sessionId)
    const first = (await ask('GET', `${path}?limit=2`)).json()
    expect(idsOf(first)).toEqual(['session-3', 'session-2'])
    const last = (await ask('GET', `${path}?limit=2&cursor=${first.nextCursor}`)).json()
    expect(idsOf(last)).toEqual(['session-1'])
    expect(last).not.toHaveProperty('nextCursor')
    expect((await ask('GET', `${path}?cursor=x`)).json().errors[0].pointer).toBe('/cursor')
  })

  it.each([
    ['GET', path],
    ['DELETE', path],
    ['GET', `${path}/export`],
  ] as const)('needs the token of an operator, and somebody who is known: %s %s', async (method, url) => {
    const { ask } = await serve()
    expect((await ask(method, url, {})).statusCode).toBe(401)
    const response = await ask(method, url)
    expect(response.statusCode).toBe(404)
    expect(response.json().detail).toBe('Contact not found.')
  })
})

describe('GET /v1/contacts/{contactId}/export', () => {
  it('is all that is kept, as one file', async () => {
    const linked = wholeDefinition({ id: 'flow-2', blocks: [textInput('i9')] })
    const linking = { ...asking, id: 'flow-3' }
    const link = wholeDefinition({
      id: 'flow-4',
      blocks: [flowLink('l1', 'flow-2', { mergeResults: false })],
    })
    const { start, goOn, post, ask } = await serve([asking, linked, linking, link])
    await start({ contact: ann }, operator)
    await goOn('tea')
    await goOn('1234')
    await post('/v1/flows/flow-4/startChat', { contact: ann }, operator)
    const response = await ask('GET', `${path}/export`)
    expect(response.headers['content-disposition']).toBe('attachment; filename="contact.json"')
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    const { conversations, ...head } = response.json()
    expect(head).toMatchObject({ id: ann.id, profile: ann, memory: { Drink: 'tea' } })
    expect(head).not.toHaveProperty('nextCursor')
    expect(conversations.map(({ flowId }: Json) => flowId).sort()).toEqual(['flow-1', 'flow-2', 'flow-4'])
    const first = conversations.find(({ flowId }: Json) => flowId === 'flow-1')
    expect(first.result.answers.map(({ content }: Json) => content)).toEqual(['tea', '1234'])
    expect(first.session).toMatchObject({
      state: 'waiting',
      contact: { name: 'Ann' },
      variables: [{ flowId: 'flow-1', values: { Drink: 'tea', Pin: '1234' } }],
    })
  })
})

describe('DELETE /v1/contacts/{contactId}', () => {
  it('erases sessions, results and memory of everybody who has named the contact, and of nobody else', async () => {
    const { start, goOn, look, ask, chat } = await serve()
    await start({ contact: ann }, operator)
    await goOn('tea')
    await start({ contact: ann })
    await start({ contact: { id: 'bob' } }, operator)
    expect((await ask('DELETE')).statusCode).toBe(204)
    for (const [id, status] of [
      ['session-1', 404],
      ['session-2', 404],
      ['session-3', 200],
    ] as const)
      expect((await look({}, id)).statusCode).toBe(status)
    const kept = await Promise.all(
      ['result-1', 'result-2', 'result-3'].map((id) => chat.results.get('flow-1', id)),
    )
    expect(kept.map((result) => result?.id)).toEqual([undefined, undefined, 'result-3'])
    expect((await ask('GET')).statusCode).toBe(404)
    expect((await ask('GET', '/v1/contacts/bob')).statusCode).toBe(200)
    expect(chat.erasures).toEqual([{ publicId: 'contact', actor: 'admin', deleted: 2, by: 'contact' }])
    expect((await goOn('poison')).statusCode).toBe(404)
  })

  it('brings nobody back by a start or a turn under way', async () => {
    const { start, ask, chat, look } = await serve()
    await start({ contact: ann }, operator)
    const key = contactKey({ id: ann.id, isVerified: true })
    const { readAt } = await chat.contacts.find(key)
    const entered = await chat.conversations.enter({ id: 'session-1' })
    if (entered.state !== 'entered') throw new Error(entered.state)
    const { lease, conversation } = entered
    const erased = ask('DELETE')
    await expect.poll(async () => (await chat.contacts.find(key)).contact).toBeUndefined()
    const links = [{ flowId: 'flow-1', resultId: 'r' }]
    const contact = { key, readAt, links, memory: [['Drink', 'tea']] as const }
    expect(await chat.conversations.commit(lease, { ...conversation, results: [], contact })).toBeUndefined()
    expect((await erased).statusCode).toBe(204)
    await chat.conversations.start({ session: { ...conversation.session, id: 's9' }, results: [], contact })
    expect((await look({}, 's9')).statusCode).toBe(404)
    expect((await ask('GET')).statusCode).toBe(404)
  })
})
