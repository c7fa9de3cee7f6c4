import type { ErrorBody } from '../../schemas/error.ts'
import type { FlowPublication } from '../../schemas/flow-publication.ts'
import type { FindingSummary } from '../../schemas/flow-state.ts'
import type { Problem } from '../lib/errors.ts'

interface PublisherTarget {
  readonly url: string
  readonly token: string
  /** Whether flows with errors are published too. */
  readonly isForced: boolean
}

type PublishOutcome =
  | {
      readonly kind: 'published'
      readonly version: number
      /** False when it was served already. */
      readonly isChanged: boolean
      readonly findings: readonly FindingSummary[]
    }
  | {
      readonly kind: 'refused'
      readonly message: string
      readonly problems: readonly Problem[]
      /** Whether every other flow would be refused for the same reason. */
      readonly isForAll: boolean
    }

/** Publishes the text of a definition under a public id. Never rejects. */
export type Publisher = (publicId: string, text: string) => Promise<PublishOutcome>

/** Checking and compiling a large flow takes a while on a busy machine. */
const deadlineMs = 60_000

const tokenRefusals = [401, 403]

/** Publishes by the API of a running service. */
export function publisherTo({ url, token, isForced }: PublisherTarget): Publisher {
  const base = url.replace(/\/+$/, '')
  return async (publicId, text) => {
    const address = `${base}/v1/flows/${encodeURIComponent(publicId)}${isForced ? '?force=true' : ''}`
    let response: Response
    try {
      response = await fetch(address, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: text,
        // The token is for this address alone.
        redirect: 'error',
        signal: AbortSignal.timeout(deadlineMs),
      })
    } catch (error) {
      return refusal(`${base} does not answer (${reasonOf(error)})`, { isForAll: true })
    }
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok && isPublication(body)) {
      const { version, isChanged, findings } = body
      return { kind: 'published', version, isChanged, findings: objectsIn(findings) }
    }
    const { message = 'the answer is not that of this service', errors } = Object(body) as Partial<ErrorBody>
    return refusal(`refused with ${response.status}: ${message}`, {
      problems: objectsIn(errors),
      isForAll: tokenRefusals.includes(response.status),
    })
  }
}

function refusal(
  message: string,
  { problems = [], isForAll }: { readonly problems?: readonly Problem[]; readonly isForAll: boolean },
): PublishOutcome {
  return { kind: 'refused', message, problems, isForAll }
}

/** Elements of a list in an answer; none where it is no list, as the address may belong to another kind of server. */
function objectsIn<Item>(list: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(list) ? list.filter((item) => item instanceof Object) : []
}

function isPublication(body: unknown): body is FlowPublication {
  return typeof (Object(body) as Partial<FlowPublication>).version === 'number'
}

/** `fetch` reports a failed connection in general terms; the system's error is its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: Partial<NodeJS.ErrnoException> }
  return cause?.code ?? cause?.message ?? message
}
