import { asList, asRecord, asText, type LooseJson } from '../../../src/tooling/flow-graph/loose-json.ts'

/** Milliseconds between two looks: a save is seen as soon as its author looks up. */
const restMs = 1000

interface Followed {
  readonly publicId: string
  /** The text of the file, or the definition that is published; undefined where it can't be had. */
  read(): Promise<string | undefined>
  /** Whether the page still shows this flow, or is about to. */
  isOpen(): boolean
  /** The text that the page begins with. */
  shown(): string
  isFree(): boolean
  /** Told when the file becomes one that can't be published, and with undefined once it can. */
  onProblem(text: string | undefined): void
  onSave(text: string): Promise<void>
}

/** Looks at a published flow until the page shows another, and tells what its file becomes. */
export async function followFile(flow: Followed): Promise<void> {
  let known: string | undefined
  let told: string | undefined
  const rest = () => new Promise((resolve) => setTimeout(resolve, restMs))
  for (await rest(); flow.isOpen(); await rest()) {
    // A service that starts again is back soon.
    const text = await flow.read().catch(() => undefined)
    const state = await stateOf(flow.publicId).catch(() => undefined)
    if (text !== undefined && flow.shown() !== '' && flow.isFree()) {
      if (text !== (known ?? flow.shown())) {
        await flow.onSave(text)
        // A text of its own, in the place of what was told about the one before.
        told = undefined
      }
      known = text
    }
    const wrong = state ? problemIn(state) : told
    if (wrong !== told) flow.onProblem(wrong)
    told = wrong
  }
}

async function stateOf(publicId: string): Promise<LooseJson> {
  const answer: unknown = await (await fetch('/published-flows')).json()
  return asRecord(asList(asRecord(answer)['flows']).find((one) => asRecord(one)['publicId'] === publicId))
}

function problemIn(state: LooseJson): string | undefined {
  const [problem] = asList(state['problems']).map(asRecord)
  if (!problem) return undefined
  const place = asText(problem['place']) ?? asText(problem['pointer'])
  return `The file as it was saved is not taken: ${place} ${problem['message']}`
}
