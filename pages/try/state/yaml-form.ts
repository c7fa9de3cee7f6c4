import type { Definition, Finding } from '../../../client/client.ts'
import { RefusedError } from '../../../client/client.ts'
import type { ConvertFlowBody, ConvertFlowResponse } from '../../../schemas/convert-flow.ts'

/** Asks the service for the other form of a flow. */
export type Convert = (body: ConvertFlowBody) => Promise<ConvertFlowResponse>

/** A flow in YAML that the service has compiled. */
export interface CompiledText {
  readonly text: string
  readonly definition: Definition
  /** `line:column` by JSON pointers into the definition. */
  readonly places: Readonly<Record<string, string>>
}

/** A text that is no flow: what is wrong, each as a finding at its line. */
export class BrokenTextError extends Error {
  override readonly name = 'BrokenTextError'
  readonly findings: readonly Finding[]

  constructor({ problems }: ConvertFlowResponse) {
    const [first] = problems
    super(`This is no flow yet: line ${first?.place} ${first?.message}`)
    this.findings = problems.map(({ message, place, pointer }) => ({
      code: 'invalid-definition',
      severity: 'error',
      message,
      pointer,
      related: [],
      docs: 'docs/rules.md#invalid-definition',
      range: rangeAt(place),
    }))
  }
}

/** Has a text in YAML compiled. Throws BrokenTextError. */
export async function compileText(text: string, convert: Convert): Promise<CompiledText> {
  const { source, places = {}, ...converted } = await whenFree(() => convert({ source: text, to: 'json' }))
  if (source === undefined) throw new BrokenTextError(converted)
  return { text, definition: JSON.parse(source) as Definition, places }
}

/** Writes a definition as YAML. Throws BrokenTextError for one that is none. */
export async function writeText(source: string, convert: Convert): Promise<string> {
  const converted = await whenFree(() => convert({ source, to: 'yaml' }))
  if (converted.source === undefined) throw new BrokenTextError(converted)
  return converted.source
}

/** From a place to the end of its line. */
export function rangeAt(place: string): NonNullable<Finding['range']> {
  const [line = 1, column = 1] = place.split(':').map(Number)
  const start = { line: line - 1, character: column - 1 }
  return { start, end: { line: line - 1, character: Number.MAX_SAFE_INTEGER } }
}

/** Times that a service which is busy is asked. */
const mostTimes = 5

async function whenFree<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let times = 1; ; times++) {
    try {
      return await ask()
    } catch (error) {
      const isBusy = error instanceof RefusedError && error.status === 503
      if (!isBusy || times === mostTimes) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}
