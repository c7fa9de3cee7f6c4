import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, PartialObject } from './common.ts'
import { Type } from './type.ts'

/** Number or text that an answer is told by. */
const RequestId = Type.Unsafe<string | number>({ type: ['string', 'integer'], examples: [1] })

const AnyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
})

/** Headers that say of a request what its body says too, for those on its way. Names are in lower case. */
export const McpHeaders = PartialObject({
  'mcp-protocol-version': Type.String({ examples: ['2026-07-28'] }),
  'mcp-method': Type.String({ examples: ['tools/call'] }),
  'mcp-name': Type.String({ description: 'The tool or the resource', examples: ['lead-form'] }),
})

/** One message of JSON-RPC, a request or a notification (docs/mcp.md). */
export const McpRequest = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(RequestId),
    method: Type.String({ examples: ['tools/call'] }),
    params: Type.Optional(
      PartialObject({
        _meta: AnyObject,
        name: Type.String({ description: 'The tool' }),
        arguments: AnyObject,
        requestState: Type.String({ maxLength: 4096, description: 'As the question came with it' }),
        inputResponses: Type.Unsafe<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({
          type: 'object',
          additionalProperties: AnyObject,
          description: 'What the person answered, by the names of the questions',
        }),
        uri: Type.String({ description: 'The resource' }),
        protocolVersion: Type.String(),
      }),
    ),
  },
  {
    examples: [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'lead-form', arguments: {} } },
    ],
  },
)
export type McpRequest = Static<typeof McpRequest>

/** The answer to a request: a result, or an error. */
export const McpResponse = ClosedObject(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
    ...optional({
      result: AnyObject,
      error: ClosedObject({
        code: Type.Integer(),
        message: Type.String(),
        data: Type.Optional(AnyObject),
      }),
    }),
  },
  { $id: 'McpResponse', examples: [{ jsonrpc: '2.0', id: 2, result: { content: [], isError: false } }] },
)
export type McpResponse = Static<typeof McpResponse>
