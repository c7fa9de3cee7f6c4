/** The service has refused a request. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Asked {
  readonly method?: 'DELETE' | 'PATCH' | 'POST'
  readonly body?: object
  readonly signal?: AbortSignal
}

/** Asks something of the service with the token of this tab, else as the cookie of an author allows. */
export async function askService(
  token: string | undefined,
  path: string,
  { method, body, signal }: Asked = {},
): Promise<Response> {
  const response = await fetch(path, {
    ...(method && { method }),
    ...(signal && { signal }),
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
  })
  if (response.ok) return response
  const problem = await response.json().catch(() => ({}))
  throw new Refusal(response.status, String(problem.message ?? `The service answered ${response.status}`))
}

export const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'
