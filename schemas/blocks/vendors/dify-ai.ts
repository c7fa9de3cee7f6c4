import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'
import { KeyValueRows, ResponseItems, vendorOptions } from './common.ts'

/** Asks an assistant or a knowledge base of Dify. */
export const DifyAiBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('dify-ai'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Create Chat Message', 'Query Knowledge Base'),
      query: Type.String({ examples: ['{{Question}}'] }),
      conversationVariableId: Type.Unsafe<string>({
        ...Id,
        description: 'Holds the id of the conversation, which goes on where it left off',
      }),
      user: Type.String({ description: 'Who asks. Default: a name made for the visitor' }),
      inputs: KeyValueRows,
      datasetId: Type.String({ description: '`Query Knowledge Base`' }),
      responseMapping: ResponseItems(
        '`Message content` (the default) or `Answer`, `Total tokens`, `Prompt tokens`, `Completion tokens`, `Conversation ID`; of a knowledge base `Retrieved chunks`',
      ),
    }),
  ),
})
export type DifyAiBlock = Static<typeof DifyAiBlock>
