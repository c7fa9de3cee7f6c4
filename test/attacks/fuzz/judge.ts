import type { ErrorBody } from '../../../schemas/error.ts'
import {
  type Check,
  type DescribedOperation,
  type Description,
  readDocument,
} from '../../support/openapi-document.ts'
import type { Answer, Sent } from './exchange.ts'

/** Something that must not be. */
export class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly about: Concern

  constructor(message: string, { cause, about }: { cause?: unknown; about?: Concern } = {}) {
    super(message, { cause })
    this.about = about ?? concernOf(cause)
  }
}

/** What a complaint is about: an answer, the event loop, an address in a message, or words that were run. */
export type Concern = 'answer' | 'stop' | 'link' | 'code'

export function concernOf(error: unknown): Concern {
  return error instanceof Complaint ? error.about : 'answer'
}

type Complain = (what: string) => never

/** Throws a `Complaint` about what a service should never answer. */
export interface Judge {
  /** Of the answer to a request: by the description that the service gives of itself. */
  answerTo(sent: Sent, answer: Answer): void
  /** Of the answer to whatever was no request. */
  answer(answer: Answer): void
}

/** Reads what the service promises of itself. */
export function createJudge(document: Description): Judge {
  const { paths, check } = readDocument(document)
  // Where two match, the one with fewer parameters is meant.
  const routes = Object.entries(paths)
    .map(([template, methods]) => ({
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`),
      parameters: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      methods,
    }))
    .sort((one, other) => one.parameters.length - other.parameters.length)
  const routeOf = ({ path }: Sent) => routes.find(({ pattern }) => pattern.test(path.split('?', 1)[0]!))

  return {
    answerTo(sent, answer) {
      const complain = complaining(answer)
      const { methods, parameters = [] } = routeOf(sent) ?? {}
      const operation = methods?.[sent.method.toLowerCase()]
      judgeHead(answer, complain)
      const isDescribed = operation ? isErrorOf(operation, answer) : isPageOf(sent, answer)
      if (answer.status >= 400 && !isDescribed) {
        judgeType(answer, complain)
        if (sent.method !== 'HEAD')
          judgePointers(judgeProblem(answer, complain), { ...sent, parameters }, complain)
      }
      if (answer.status >= 500 && !(answer.status === 503 && operation?.responses[503])) complain('a defect')
      // A head that is too large is answered before there is a route, and a path may lead to none.
      const isOfRoute = answer.status !== 404 && answer.status !== 431
      if (operation && isOfRoute) judgeAsDescribed(answer, { operation, check, complain })
    },
    answer(answer) {
      const complain = complaining(answer)
      judgeHead(answer, complain)
      // What is an answer to HEAD can't be told from here.
      const isProblem = answer.status >= 400 && !isPage(answer)
      if (isProblem) judgeType(answer, complain)
      if (isProblem && answer.body.length > 0) judgeProblem(answer, complain)
      if (answer.status >= 500) complain('a defect')
    },
  }
}

function complaining({ status, body }: Answer): Complain {
  return (what) => {
    throw new Complaint(`${what}, in the answer ${status}: ${body.toString().slice(0, 2000)}`)
  }
}

/** What every answer carries (docs/api.md, "Ground rules"). */
function judgeHead({ headers, status }: Answer, complain: Complain): void {
  if (headers['x-request-id'] === undefined) complain('x-request-id is missing')
  if (headers['x-content-type-options'] !== 'nosniff') complain('nosniff is missing')
  if (status < 400) return
  if (headers['cache-control'] !== 'no-store') complain('an error may be cached')
}

function judgeType({ headers }: Answer, complain: Complain): void {
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') complain('no problem document')
}

/** Whether an operation describes an error of its own form, as those of JSON-RPC are. */
const isErrorOf = (operation: DescribedOperation, { status, headers }: Answer): boolean =>
  operation.responses[status]?.content?.['application/json'] !== undefined &&
  headers['content-type'] === 'application/json; charset=utf-8'

/** Whether a person is told in a page why there is none for them: at the addresses that are no operation. */
const isPageOf = ({ method }: Sent, answer: Answer): boolean =>
  (method === 'GET' || method === 'HEAD') && isPage(answer)

const isPage = ({ status, headers }: Answer): boolean =>
  status === 403 && headers['content-type'] === 'text/html; charset=utf-8'

/** A problem document has a code and a message (docs/api.md, "Errors"). */
function judgeProblem({ status, body }: Answer, complain: Complain): ErrorBody {
  const problem = parse(body, complain) as ErrorBody
  if (problem.status !== status) complain('the status is not the one of the document')
  if (!/^[A-Z][A-Z_]*$/.test(problem.code) || problem.message === '') complain('code or message is missing')
  return problem
}

/** A request, with the names of what its address holds. */
interface SentTo extends Sent {
  readonly parameters: readonly string[]
}

function judgePointers({ errors = [] }: ErrorBody, sent: SentTo, complain: Complain): void {
  for (const { pointer } of errors) {
    if (!leadsSomewhere(pointer, sent)) complain(`${pointer} is nowhere in the request`)
  }
}

/** Whether a pointer leads to a place of the body, to one that is missing there, or to a part of the head. */
function leadsSomewhere(pointer: string, { body, path, parameters, headers }: SentTo): boolean {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  // A parameter of the query may have no value, and no sign of one.
  const query = new URLSearchParams(path.split('?').slice(1).join('?'))
  const isOfHead = (key: string) => Object.hasOwn(headers, key) || parameters.includes(key) || query.has(key)
  if (keys.length === 1 && keys.every(isOfHead)) return true
  let value: unknown = body && body.length > 0 ? parseOr(body, undefined) : {}
  return keys.every((key, index) => {
    if (typeof value !== 'object' || value === null) return false
    const isThere = Object.hasOwn(value, key)
    value = isThere ? (value as Record<string, unknown>)[key] : undefined
    return isThere || index === keys.length - 1
  })
}

function judgeAsDescribed(
  { status, headers, body }: Answer,
  { operation, check, complain }: { operation: DescribedOperation; check: Check; complain: Complain },
): void {
  const expected = operation.responses[status] ?? complain('the status is not described')
  if (!expected.content) {
    if (body.length > 0) complain('a body that is not described')
    return
  }
  const type = headers['content-type']?.split(';', 1)[0] ?? ''
  const media = expected.content[type] ?? expected.content['*/*'] ?? complain(`${type} is not described`)
  check(/[/+]json$/.test(type) ? parse(body, complain) : body.toString(), media.schema ?? {}, complain)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Buffer, complain: Complain): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return complain('the body is no JSON')
  }
}

function parseOr<Other>(body: Buffer, other: Other): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return other
  }
}
