import { describe, expect, it } from 'vitest'
import { readRequest, titleOf } from '../../pages/try/messenger/read-request.ts'
import type { ChannelName } from '../../schemas/channel.ts'

/** As docs/add-a-channel.md adds one. */
const added = 'sms' as ChannelName

describe('the view of a messenger that has no look of its own', () => {
  it('has its name and shows what each of its messages says', () => {
    expect(titleOf(added)).toBe('sms')
    const body = { To: '+33612345678', Body: 'Which size?\n\n1. Small\n2. Large' }
    expect(readRequest(added, { method: 'Messages', body })).toEqual({
      text: body.Body,
      entities: [],
      rows: [],
    })
    expect(readRequest(added, { method: 'Messages', body: {} }).text).toBe('')
  })

  it('is no other than that of Telegram where there are only words', () => {
    const body = { text: 'Hello' }
    const shown = readRequest('telegram', { method: 'sendMessage', body })
    expect(shown).toMatchObject(readRequest(added, { method: 'sendMessage', body }))
  })
})
