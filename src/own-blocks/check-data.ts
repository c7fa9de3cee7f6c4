import type { Static, TSchema } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum } from '../../schemas/common.ts'
import { taggedUnion } from '../../schemas/tagged-union.ts'
import { Type } from '../../schemas/type.ts'
import { createLazyValidator } from '../definition/lazy-validator.ts'
import { toProblems } from '../definition/problems.ts'
import { ExplainedError } from '../engine/model/log-entry.ts'

const assignments = Type.Array(
  ClosedObject({ variableId: Type.Optional(Type.String()), value: Type.Optional(Type.Unknown()) }),
)

const Result = ClosedObject(
  optional({
    assignments,
    logs: Type.Array(
      ClosedObject({
        status: StringEnum(['info', 'success', 'error']),
        description: Type.String(),
        details: Type.Optional(Type.String()),
      }),
    ),
    item: Type.String(),
  }),
)

export type CheckedResult = Static<typeof Result>

const Verdict = ClosedObject(optional({ accepts: Type.String(), refuses: Type.String(), assignments }))

const asked = {
  headers: Type.Record(Type.String(), Type.String()),
  json: Type.Unknown(),
  timeoutMs: Type.Integer({ minimum: 1, maximum: 60_000 }),
}

const RequestData = ClosedObject({
  url: Type.String(),
  ...optional({ ...asked, method: Type.String({ pattern: '^[A-Z]{1,20}$' }), body: Type.String() }),
})

const AccountCall = ClosedObject({
  path: Type.String({ pattern: '^/' }),
  ...optional({
    ...asked,
    account: Type.String(),
    method: StringEnum(['GET', 'POST', 'PATCH', 'PUT']),
  }),
})

const MailData = ClosedObject({
  account: Type.String(),
  to: Type.Array(Type.String()),
  ...optional({ subject: Type.String(), text: Type.String() }),
})

const Effect = taggedUnion([
  ClosedObject({ type: Type.Literal('now') }),
  ClosedObject({ type: Type.Literal('random') }),
  ClosedObject({ type: Type.Literal('id') }),
  ClosedObject({ type: Type.Literal('request'), request: RequestData }),
  ClosedObject({ type: Type.Literal('account call'), call: AccountCall }),
  ClosedObject({ type: Type.Literal('mail'), mail: MailData }),
])

/** An effect of a block, once it was checked. */
export type CheckedEffect = Static<typeof Effect>

const validator = createLazyValidator()

function createCheck<Schema extends TSchema>(schema: Schema) {
  const check = validator(schema)
  return (value: unknown, what: string): Static<Schema> => {
    if (check.accepts(value)) return value as Static<Schema>
    const [{ pointer, message } = { pointer: '', message: 'is wrong' }] = toProblems(check.errorsOf(value))
    throw new ExplainedError(`${what}: ${pointer === '' ? 'it' : pointer} ${message}`)
  }
}

/** Gives back what a block returned. Throws an error that names the place where it is not what the kit says. */
export const checkResult = createCheck(Result)
export const checkVerdict = createCheck(Verdict)
export const checkEffect = createCheck(Effect)
