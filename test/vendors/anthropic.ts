import { Type } from '@sinclair/typebox'
import type { Json } from '../support/json.ts'
import { startStrictVendor, type VendorReply } from './strict-vendor.ts'

const closed = { additionalProperties: false }

const Source = Type.Union([
  Type.Object({ type: Type.Literal('url'), url: Type.String() }, closed),
  Type.Object(
    {
      type: Type.Literal('base64'),
      media_type: Type.RegExp(/^image\/(jpeg|png|gif|webp)$/),
      data: Type.String(),
    },
    closed,
  ),
])

const Content = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) }, closed),
  Type.Object({ type: Type.Literal('image'), source: Source }, closed),
  Type.Object(
    { type: Type.Literal('tool_use'), id: Type.String(), name: Type.String(), input: Type.Object({}) },
    closed,
  ),
  Type.Object(
    { type: Type.Literal('tool_result'), tool_use_id: Type.String(), content: Type.String() },
    closed,
  ),
])

const Question = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    max_tokens: Type.Integer({ minimum: 1 }),
    system: Type.Optional(Type.String({ minLength: 1 })),
    messages: Type.Array(
      Type.Object(
        {
          role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
          content: Type.Array(Content, { minItems: 1 }),
        },
        closed,
      ),
      { minItems: 1 },
    ),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    tools: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.RegExp(/^[\w-]{1,64}$/),
            description: Type.Optional(Type.String()),
            input_schema: Type.Object({ type: Type.Literal('object') }),
          },
          closed,
        ),
      ),
    ),
    tool_choice: Type.Optional(
      Type.Union([
        Type.Object({ type: Type.Literal('auto') }, closed),
        Type.Object({ type: Type.Literal('tool'), name: Type.String() }, closed),
      ]),
    ),
    stream: Type.Optional(Type.Literal(true)),
  },
  closed,
)

const refuse = (_status: number, message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
})

/** Anthropic's Messages as they are documented; `answers` come in their order. */
export async function startAnthropic(answers: readonly VendorReply[]) {
  let asked = 0
  const bodies: Json[] = []
  const server = await startStrictVendor({
    headers: { 'x-api-key': 'sk-ant-1', 'anthropic-version': '2023-06-01' },
    refuse,
    routes: [
      {
        method: 'POST',
        path: /^\/v1\/messages$/,
        body: Question,
        answer({ body }) {
          const roles = (body['messages'] as { role: string }[]).map(({ role }) => role)
          const isByTurns = roles.every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
          if (!isByTurns) return { status: 400, json: refuse(400, 'roles must alternate') }
          bodies.push(body)
          return answers[asked++] ?? { status: 500, json: refuse(500, 'no more answers') }
        },
      },
    ],
  })
  return { server, bodies }
}

/** A message as it comes whole. */
export const anthropicSays = (content: readonly object[], more: Json = {}): VendorReply => ({
  json: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 5 },
    ...more,
  },
})

/** Events of a stream as Anthropic names them. */
export const anthropicStreams = (...events: readonly Json[]): VendorReply => ({
  type: 'text/event-stream',
  text: events.map((event) => `event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})
