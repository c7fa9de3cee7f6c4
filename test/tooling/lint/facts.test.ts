import { expect, it } from 'vitest'
import { factsOf } from '../../../src/tooling/lint/flow-report.ts'
import { flowLink } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { modelOf } from '../../support/lint.ts'

const factsOfBlocks = (...blocks: Json[]) => factsOf(modelOf({ blocks }))

it.each([
  ['Email', true],
  ['gmail', true],
  ['Webhook', false],
  ['openai', false],
])('says whether a flow sends mails: %s, %s', (type, mails) => {
  expect(factsOfBlocks({ id: 'b', type }).mails).toBe(mails)
})

it('names the accounts that blocks borrow, and those of their types where they name none', () => {
  const named = { id: 'a', type: 'openai', options: { credentialsId: 'mine' } }
  const unnamed = ['openai', 'Email', 'gmail', 'qr-code', 'zendesk', 'Webhook'].map((type) => ({
    id: type,
    type,
    options: {},
  }))
  const { accounts } = factsOfBlocks(named, ...unnamed, { id: 'none', type: 'mistral' })
  expect(accounts).toEqual(['mine', 'default-openai', 'default', 'default-gmail'])
})

it('names the flows that links lead to, and no place that a jump names', () => {
  const jump = { id: 'j', type: 'Jump', options: { groupId: 'g1', flowId: 'ignored' } }
  expect(factsOfBlocks(flowLink('l', 'faq'), flowLink('m', 'current'), jump).links).toEqual(['faq'])
})

it('says which blocks only a browser runs', () => {
  const browser = { isExecutedOnClient: true }
  const types = factsOfBlocks(
    { id: 'a', type: 'Webhook', options: browser },
    { id: 'b', type: 'Zapier', options: browser },
    { id: 'c', type: 'Set variable', options: browser },
    { id: 'd', type: 'Code' },
    { id: 'e', type: 'Code', options: { isExecutedOnClient: false } },
    { id: 'f', type: 'Redirect' },
  ).clientOnlyBlocks
  expect(types).toEqual(['Webhook', 'Set variable', 'Code', 'Redirect'])
})

it.each([
  ['file input', {}, true],
  ['text input', { attachments: { isEnabled: true } }, true],
  ['text input', { audioClip: { isEnabled: true } }, true],
  ['text input', { attachments: { isEnabled: false } }, false],
])('says whether files may come: %s %j', (type, options, uploads) => {
  expect(factsOfBlocks({ id: 'b', type, options }).uploads).toBe(uploads)
})
