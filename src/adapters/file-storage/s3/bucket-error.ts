import { ServiceError } from '../../../lib/errors.ts'

interface Refusal {
  /** Why there is no answer. */
  readonly reason?: string
  readonly status?: number
  /** Of the answer. */
  readonly text?: string
}

/** Longest part of a message of the server that is repeated. */
const maxLength = 200

/** The refusal of a request to the bucket: for clients, that files are away; its cause says to the operator what is wrong. */
export class BucketError extends ServiceError {
  readonly status: number | undefined

  constructor(method: string, refusal: Refusal) {
    const cause = new Error(`The bucket of UPLOADS_S3_URL: ${method} ${describe(refusal)}`)
    super('SERVICE_UNAVAILABLE', 'Files can be neither kept nor read at the moment', { cause, retryAfter: 5 })
    this.status = refusal.status
  }
}

function describe({ reason, status, text = '' }: Refusal): string {
  if (reason !== undefined) return `had no answer: ${reason}`
  const [, code] = /<Code>(\w{1,100})<\/Code>/.exec(text) ?? []
  const [, message] = /<Message>([^<]*)<\/Message>/.exec(text) ?? []
  const words = [code, message?.slice(0, maxLength)].filter((word) => word !== undefined && word !== '')
  return `was answered ${[status, ...words].join(', ')}`
}
