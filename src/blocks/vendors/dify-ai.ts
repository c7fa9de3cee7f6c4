import { DifyAiBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { pathPart } from '../../engine/values/path-part.ts'
import { askVendorForJson, describeUnreadableAnswer, reportProblem } from './lib/ask-vendor.ts'
import { assignItems, mappingMarks, objectOfRows, plainPart } from './lib/rows-and-items.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<DifyAiBlock['options']>

/** Asks an assistant or a knowledge base of Dify (docs/behaviour/integrations.md, "Dify"). */
export const difyAi = defineVendorBlock<DifyAiBlock>({
  schema: DifyAiBlock,
  actions: { 'Create Chat Message': createChatMessage, 'Query Knowledge Base': queryKnowledgeBase },
  marks: mappingMarks,
  streamedVariableOf: ({ action, responseMapping }) =>
    action === 'Create Chat Message'
      ? responseMapping?.find(({ item = usualItem }) => answerItems.has(item))?.variableId
      : undefined,
})

const usualItem = 'Message content'
const answerItems = new Set([usualItem, 'Answer'])

/** Milliseconds that an assistant has for an answer. */
const timeoutMs = 60_000

function* createChatMessage(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, query, conversationVariableId, inputs, user } = options
  if (query === undefined) return { logs: [reportProblem('Query is empty')] }
  const conversationId =
    conversationVariableId === undefined ? undefined : context.variables.get(conversationVariableId)
  const answer = yield* askVendorForJson(
    {
      vendor: 'dify-ai',
      credentialsId,
      method: 'POST',
      path: '/v1/chat-messages',
      json: {
        inputs: objectOfRows(inputs),
        query,
        response_mode: 'blocking',
        ...(user !== undefined && { user }),
        ...(typeof conversationId === 'string' &&
          conversationId !== '' && { conversation_id: conversationId }),
      },
      // One name for all visitors would let the assistant mix up what they said.
      ...(user === undefined && { visitorField: 'user' }),
      streamFormat: 'dify',
      timeoutMs,
    },
    context,
  )
  if (!answer.ok) return { logs: [answer.log] }
  const parts = partsOf(answer.body)
  const conversation = parts['Conversation ID']
  return {
    assignments: [
      ...assignItems(options.responseMapping, parts, usualItem),
      ...(conversationVariableId !== undefined && typeof conversation === 'string'
        ? [{ variableId: conversationVariableId, value: conversation }]
        : []),
    ],
  }
}

function* queryKnowledgeBase(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, query, datasetId, responseMapping } = options
  if (datasetId === undefined) return { logs: [reportProblem('Knowledge Base ID is empty')] }
  if (query === undefined) return { logs: [reportProblem('Query is empty')] }
  if (!responseMapping?.some(({ variableId }) => variableId !== undefined))
    return { logs: [reportProblem('Missing result variable')] }
  const path = `/v1/datasets/${pathPart(datasetId)}/retrieve`
  const answer = yield* askVendorForJson(
    { vendor: 'dify-ai', credentialsId, purpose: 'knowledge', method: 'POST', path, json: { query } },
    context,
  )
  if (!answer.ok) return { logs: [answer.log] }
  const { records } = answer.body
  if (!Array.isArray(records))
    return { logs: [describeUnreadableAnswer('dify-ai', JSON.stringify(answer.body))] }
  const chunks = chunksOf(records)
  return { assignments: assignItems(responseMapping, { 'Retrieved chunks': chunks }, 'Retrieved chunks') }
}

function partsOf({ answer, conversation_id: conversation, metadata }: Readonly<Record<string, unknown>>) {
  const { usage } = Object(metadata) as { usage?: unknown }
  const {
    total_tokens: total,
    prompt_tokens: prompt,
    completion_tokens: completion,
  } = Object(usage) as Record<string, unknown>
  return {
    'Message content': plainPart(answer),
    Answer: plainPart(answer),
    'Conversation ID': plainPart(conversation),
    'Total tokens': plainPart(total),
    'Total Tokens': plainPart(total),
    'Prompt tokens': plainPart(prompt),
    'Completion tokens': plainPart(completion),
  }
}

function chunksOf(records: readonly unknown[]): readonly string[] {
  return records.flatMap((record) => {
    const { segment } = Object(record) as { segment?: unknown }
    const { content } = Object(segment) as { content?: unknown }
    return typeof content === 'string' ? [content] : []
  })
}
