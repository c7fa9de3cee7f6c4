import { expect, it } from 'vitest'
import { webhookListener } from '../../../src/blocks/logic/webhook-listener.ts'
import { runBlock } from '../../support/run-block.ts'

it.each([{ options: { responseVariableMapping: [] } }, {}])('listens and waits, given %j', (given) => {
  expect(runBlock(webhookListener, { id: 'b1', type: 'webhook', ...given })).toEqual({
    actions: [{ type: 'listenForWebhook', expectsDedicatedReply: true }],
    next: { to: 'wait' },
  })
})
