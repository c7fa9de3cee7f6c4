import { expect, it } from 'vitest'
import { conversation } from './arbitraries/conversations.ts'
import { playConversation } from './play.ts'
import { tryService } from './trial.ts'

const whatever = tryService()

it('a conversation with any flow, right or wrong, is answered as documented', async () => {
  const answered = await whatever(conversation, playConversation, 150)
  expect(answered).toBeGreaterThan(300)
}, 120_000)
