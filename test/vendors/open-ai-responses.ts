import { Type } from '@sinclair/typebox'
import type { Json } from '../support/json.ts'
import { startStrictVendor, type VendorReply } from './strict-vendor.ts'

const closed = { additionalProperties: false }

const Item = Type.Union([
  Type.Object(
    {
      role: Type.Literal('user'),
      content: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('input_text'), text: Type.String() }, closed),
          Type.Object(
            { type: Type.Literal('input_image'), image_url: Type.String(), detail: Type.Literal('auto') },
            closed,
          ),
        ]),
        { minItems: 1 },
      ),
    },
    closed,
  ),
  Type.Object(
    { type: Type.Literal('function_call_output'), call_id: Type.String(), output: Type.String() },
    closed,
  ),
])

const Tool = Type.Union([
  Type.Object(
    {
      type: Type.Literal('file_search'),
      vector_store_ids: Type.Array(Type.String(), { minItems: 1 }),
      max_num_results: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      ranking_options: Type.Optional(
        Type.Object(
          { ranker: Type.Literal('auto'), score_threshold: Type.Number({ minimum: 0, maximum: 1 }) },
          closed,
        ),
      ),
    },
    closed,
  ),
  Type.Object({ type: Type.Literal('web_search') }, closed),
  Type.Object(
    {
      type: Type.Literal('code_interpreter'),
      container: Type.Object({ type: Type.Literal('auto') }, closed),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('function'),
      name: Type.String(),
      description: Type.Optional(Type.String()),
      parameters: Type.Object({ type: Type.Literal('object') }),
      strict: Type.Boolean(),
    },
    closed,
  ),
])

const Question = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    input: Type.Array(Item, { minItems: 1 }),
    instructions: Type.Optional(Type.String({ minLength: 1 })),
    tools: Type.Optional(Type.Array(Tool, { minItems: 1 })),
    previous_response_id: Type.Optional(Type.RegExp(/^resp_/)),
    store: Type.Boolean(),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    stream: Type.Optional(Type.Literal(true)),
  },
  closed,
)

const refuse = (_status: number, message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
})

/** OpenAI's Responses as they are documented; `answers` come in their order. */
export async function startResponses(answers: readonly VendorReply[]) {
  let asked = 0
  const bodies: Json[] = []
  const server = await startStrictVendor({
    headers: { authorization: 'Bearer sk-1' },
    refuse,
    routes: [
      {
        method: 'POST',
        path: /^\/v1\/responses$/,
        body: Question,
        answer({ body }) {
          bodies.push(body)
          return answers[asked++] ?? { status: 500, json: refuse(500, 'no more answers') }
        },
      },
    ],
  })
  return { server, bodies }
}

/** A response that is complete. */
export const response = (id: string, ...output: readonly Json[]): Json => ({
  id,
  object: 'response',
  status: 'completed',
  output,
  usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
})

export const message = (text: string): Json => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

export const functionCall = (name: string, given: Json): Json => ({
  type: 'function_call',
  call_id: 'call_1',
  name,
  arguments: JSON.stringify(given),
})
