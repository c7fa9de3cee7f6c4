import { describe, expect, it } from 'vitest'
import { webhookListener } from '../../../src/blocks/logic/client-steps.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

describe('Webhook listener', () => {
  it.each([{ options: { responseVariableMapping: [] } }, {}])('listens and waits, given %j', (given) => {
    expect(runBlock(webhookListener, { id: 'b1', type: 'webhook', ...given })).toEqual({
      actions: [{ type: 'listenForWebhook', expectsDedicatedReply: true }],
      next: { to: 'wait' },
    })
  })

  const deep = `${'['.repeat(200)}${']'.repeat(200)}`

  it.each<[string, { status?: number; data?: unknown }]>([
    ['{"statusCode":201,"data":{"name":"Ada"}}', { status: 201, data: { name: 'Ada' } }],
    ['{"data":{"name":"Ada"}}', { data: { name: 'Ada' } }],
    ['{"name":"Ada"}', {}],
    ['{}', {}],
    ['paid', { status: 200, data: 'paid' }],
    ['', { status: 200, data: '' }],
    ['{"data":', { status: 200, data: '{"data":' }],
    [deep, { status: 200, data: deep }],
  ])('reads %j as %j', (text, { status, data }) => {
    const responseVariableMapping = [
      { id: 'm1', variableId: 'vStatus', bodyPath: 'statusCode' },
      { id: 'm2', variableId: 'vData', bodyPath: 'data' },
    ]
    const block = { id: 'b1', type: 'webhook', options: { responseVariableMapping } }
    const prepared = prepareBlock(webhookListener, block, { variables: { Status: null, Data: null } })
    expect(prepared.receive(text)).toEqual({
      assignments: [
        { variableId: 'vStatus', value: status },
        { variableId: 'vData', value: data },
      ],
      logs: [],
    })
    expect(prepared.spent()).toBeGreaterThanOrEqual(text.length)
  })

  it.each(['[{"data":1}]', '5', '"x"', 'null', 'true'])('reads nothing of %s', (text) => {
    const responseVariableMapping = [{ id: 'm1', variableId: 'vData', bodyPath: '"always"' }]
    const block = { id: 'b1', type: 'webhook', options: { responseVariableMapping } }
    expect(prepareBlock(webhookListener, block, { variables: { Data: 'kept' } }).receive(text)).toEqual({})
  })
})
