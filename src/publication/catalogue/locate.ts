import { invalidInput, problemsOf, ServiceError } from '../../lib/errors.ts'

/** Finds what JSON pointers lead to in a file of another form: `file:line:column` each, none where it has changed. */
export type Locate = (pointers: readonly string[]) => Promise<readonly string[]>

/** Adds the places to what is wrong with a flow of another form. */
export async function withPlaces<Part extends { readonly pointer: string }>(
  parts: readonly Part[],
  locate: Locate | undefined,
): Promise<readonly Part[]> {
  if (!locate || parts.length === 0) return parts
  const places = await locate(parts.map(({ pointer }) => pointer))
  return parts.map((part, index) => {
    const place = places[index]
    return place === undefined ? part : { ...part, place }
  })
}

/** The same refusal with places. */
export async function placed(error: unknown, locate: Locate | undefined): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  return invalidInput(await withPlaces(problemsOf(error), locate))
}
