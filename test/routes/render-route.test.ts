import { describe, expect, it } from 'vitest'
import { bubble } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import type { Json } from '../support/json.ts'

async function render(payload: Json, { previewToken }: { previewToken?: string } = {}) {
  const { app } = await buildTestApp({ config: { previewToken } })
  const response = await app.inject({ method: 'POST', url: '/v1/flows/render', payload })
  return { status: response.statusCode, body: response.json() }
}

const input = { id: 'q', type: 'choice input', items: [{ id: 'yes', content: 'Yes' }] }

describe('POST /v1/flows/render', () => {
  it('writes an answer as a messenger takes it, and reads what is said then', async () => {
    const messages = [
      { ...bubble('b', 'Sure?'), content: { type: 'richText', richText: [{ text: 'Sure?' }] } },
    ]
    const answer = { channel: 'telegram', messages, input, turn: 2 }
    const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'r:2:0' }]] }
    expect(await render({ ...answer, said: { press: 'r:2:0' } })).toEqual({
      status: 200,
      body: {
        messages: [{ request: { method: 'sendMessage', body: { text: 'Sure?', reply_markup } }, notes: [] }],
        reply: { type: 'text', text: 'Yes', metadata: { replyId: 'yes' } },
      },
    })
    expect((await render({ ...answer, said: { press: 'r:1:0' } })).body.isStale).toBe(true)
  })

  it('takes the words of the flow for its own', async () => {
    const settings = { general: { words: { chooseOne: 'Wähle' } } }
    const { body } = await render({ channel: 'telegram', input, settings })
    expect(body.messages[0].request.body.text).toBe('Wähle')
  })

  it('refuses other messengers, addresses of no page, and callers without the token of previews', async () => {
    expect((await render({ channel: 'pigeon' })).status).toBe(400)
    expect((await render({ channel: 'telegram', page: 'javascript:1' })).status).toBe(400)
    expect((await render({ channel: 'telegram' }, { previewToken: 'a'.repeat(32) })).status).toBe(401)
  })
})
