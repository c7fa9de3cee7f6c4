import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum } from './common.ts'
import { Input } from './input.ts'
import { Type } from './type.ts'

const Problem = ClosedObject({
  pointer: Type.String({
    description: 'JSON pointer into what was sent (RFC 6901); empty for the whole',
    examples: ['/flow/groups/0/blocks/2/options/isLong'],
  }),
  message: Type.String({ examples: ['must be boolean'] }),
})

/** Stable names of everything that can go wrong. */
export const errorCodes = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_CONTENT',
  'HEADERS_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
] as const

/** The body of every answer that is not a success: a problem document (RFC 9457) with a stable code. */
export const ErrorBody = ClosedObject(
  {
    type: Type.String({ description: 'Kind of problem, as a URI reference', examples: ['about:blank'] }),
    title: Type.String({ description: 'What the status means', examples: ['Bad Request'] }),
    status: Type.Integer({ minimum: 400, maximum: 599, examples: [400] }),
    detail: Type.String({ description: 'The same text as `message`' }),
    instance: Type.Optional(Type.String({ description: 'The request that this answers' })),
    code: StringEnum(errorCodes, {
      description: 'Stable name of the problem',
      examples: ['BAD_REQUEST'],
    }),
    message: Type.String({
      description: 'What went wrong, for people',
      examples: ['Input validation failed'],
    }),
    ...optional({
      errors: Type.Array(Problem, {
        description: 'What is wrong with the body, place by place; at most about twenty entries',
      }),
      input: Input,
      reason: StringEnum(['ended', 'expired', 'unknown'], {
        description: 'Why a session is not found: only where it is one that is not found',
      }),
    }),
  },
  {
    $id: 'ErrorBody',
    description: 'A problem document (RFC 9457).',
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'Input validation failed',
        instance: '/v1/flows/flow-1/preview/startChat',
        code: 'BAD_REQUEST',
        message: 'Input validation failed',
        errors: [{ pointer: '/flow/groups/0/blocks/2/options/isLong', message: 'must be boolean' }],
      },
    ],
  },
)
export type ErrorBody = Static<typeof ErrorBody>
