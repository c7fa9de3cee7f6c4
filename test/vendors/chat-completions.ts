import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { httpAnswer, type RawRequest } from '../support/raw-http-server.ts'

const closed = { additionalProperties: false }

const Part = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) }, closed),
  Type.Object(
    {
      type: Type.Literal('image_url'),
      image_url: Type.Object({ url: Type.RegExp(/^(https?:|data:image\/)/) }, closed),
    },
    closed,
  ),
])

const ToolCall = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    type: Type.Literal('function'),
    function: Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() }, closed),
  },
  closed,
)

const Message = Type.Union([
  Type.Object({ role: Type.Literal('system'), content: Type.String() }, closed),
  Type.Object(
    {
      role: Type.Literal('user'),
      content: Type.Union([Type.String(), Type.Array(Part, { minItems: 1 })]),
    },
    closed,
  ),
  Type.Object(
    {
      role: Type.Literal('assistant'),
      content: Type.String(),
      tool_calls: Type.Optional(Type.Array(ToolCall, { minItems: 1 })),
    },
    closed,
  ),
  Type.Object(
    { role: Type.Literal('tool'), tool_call_id: Type.String({ minLength: 1 }), content: Type.String() },
    closed,
  ),
])

const Tool = Type.Object(
  {
    type: Type.Literal('function'),
    function: Type.Object(
      {
        name: Type.RegExp(/^[\w-]{1,64}$/),
        description: Type.Optional(Type.String()),
        parameters: Type.Object({ type: Type.Literal('object') }),
        strict: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
  },
  closed,
)

const Question = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    messages: Type.Array(Message, { minItems: 1 }),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    tools: Type.Optional(Type.Array(Tool, { minItems: 1, maxItems: 128 })),
    tool_choice: Type.Optional(Type.Literal('auto')),
    response_format: Type.Optional(Type.Object({ type: Type.Literal('json_object') }, closed)),
    stream: Type.Optional(Type.Literal(true)),
    stream_options: Type.Optional(Type.Object({ include_usage: Type.Literal(true) }, closed)),
  },
  closed,
)

interface Said {
  readonly messages: readonly {
    readonly role: string
    readonly tool_calls?: readonly { readonly id: string }[]
    readonly tool_call_id?: string
  }[]
  readonly tools?: unknown
  readonly tool_choice?: unknown
  readonly response_format?: unknown
  readonly stream?: unknown
  readonly stream_options?: unknown
}

const refuse = (status: number, message: string) =>
  httpAnswer(
    status,
    JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    { 'content-type': 'application/json' },
  )

/** What a strict server of the format that most models share answers a request that is not in it. */
export function refuseIfWrong({ method, target, headers, body }: RawRequest): Buffer | undefined {
  if (!target.endsWith('/chat/completions')) return undefined
  if (method !== 'POST') return refuse(405, `not by ${method}`)
  if (!/^Bearer \S+$/.test(headers.get('authorization') ?? '')) return refuse(401, 'no key')
  if (headers.get('content-type') !== 'application/json') return refuse(400, 'content-type')
  const question: unknown = JSON.parse(body)
  const [error] = Value.Errors(Question, question)
  if (error) return refuse(400, `${error.path} ${error.message}`)
  const problem = problemIn(question as Said)
  return problem === undefined ? undefined : refuse(400, problem)
}

/** What a schema can not say. */
function problemIn(said: Said): string | undefined {
  if (said.tool_choice !== undefined && said.tools === undefined) return 'tool_choice needs tools'
  if (said.stream_options !== undefined && !said.stream) return 'stream_options need a stream'
  if (said.response_format !== undefined && !/json/i.test(JSON.stringify(said.messages)))
    return 'messages must contain the word JSON'
  let wanted = new Set<string | undefined>()
  for (const { role, tool_calls: calls = [], tool_call_id: id } of said.messages) {
    if (role === 'tool' && !wanted.delete(id)) return `nobody has called ${id}`
    if (role !== 'tool' && wanted.size > 0) return `no answer to ${[...wanted].join()}`
    if (role === 'assistant') wanted = new Set(calls.map((call) => call.id))
  }
  return wanted.size > 0 ? `no answer to ${[...wanted].join()}` : undefined
}
