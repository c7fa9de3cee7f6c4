import { signal } from '@preact/signals'
import type { Mocks, TraceStep } from '../../../client/client.ts'
import { asList, asRecord, asText } from '../../../src/tooling/flow-graph/loose-json.ts'
import { read, readJson, write } from '../../shared/browser-storage.ts'

export type Call = NonNullable<TraceStep['calls']>[number]

export type RuleKind = 'http' | 'vendors' | 'models'

/** An answer that is given in place of the world: one rule of the mocks of a preview, as its author writes it. */
export interface PinnedRule {
  readonly kind: RuleKind
  readonly text: string
}

export type MockRules = ReturnType<typeof createMockRules>

const key = 'flow-runtime/try/rules'

/** The answers that somebody has pinned. */
export function createMockRules() {
  const rules = signal<readonly PinnedRule[]>(asList(readJson(read('sessionStorage', key))) as PinnedRule[])
  const set = (next: readonly PinnedRule[]) => {
    rules.value = next
    write('sessionStorage', key, JSON.stringify(next))
  }
  return {
    rules,
    pin: (rule: PinnedRule) => set([rule, ...rules.value]),
    edit: (at: number, text: string) =>
      set(rules.value.map((rule, index) => (index === at ? { ...rule, text } : rule))),
    remove: (at: number) => set(rules.value.filter((_rule, index) => index !== at)),
    clear: () => set([]),
    /** The rules that are JSON, as a preview takes them. */
    get mocks(): Pick<Mocks, RuleKind> {
      const mocks: Record<string, unknown[]> = {}
      for (const { kind, text } of rules.value) {
        const rule = readJson(text)
        if (rule === undefined) continue
        mocks[kind] ??= []
        mocks[kind].push(rule)
      }
      return mocks as Pick<Mocks, RuleKind>
    },
  }
}

/** Why the text of a rule is no JSON; undefined for one that is. */
export const problemOf = (text: string): string | undefined =>
  readJson(text) === undefined ? 'This is no JSON: the rule does not count.' : undefined

/** A rule that answers a call as it was answered; undefined for calls that no rule is about. */
export function ruleOf({ type, request, answer }: Call, block: string): PinnedRule | undefined {
  const { method, url, vendor, path, model } = asRecord(request)
  const { status, body } = asRecord(answer)
  // Where bodies are not shown, there is an empty one to fill in.
  const reply = {
    status: status ?? 200,
    ...(typeof body === 'string' ? { text: body } : { json: body ?? {} }),
  }
  const rule = (kind: RuleKind, value: object) => ({ kind, text: JSON.stringify(value, null, 2) })
  if (type === 'request') return rule('http', { match: { method, url: openEnds(url), block }, reply })
  if (type === 'callVendor')
    return rule('vendors', { match: { vendor, method, path: openEnds(path), block }, reply })
  if (type === 'complete')
    return rule('models', { match: { model, block }, reply: modelText(body) ?? 'Hello!' })
  return undefined
}

/** What was masked or cut is not known, and fits anything. */
const openEnds = (address: unknown) => asText(address)?.replace(/\*{3}|…$/g, '*')

/** The words in an answer of a model. */
function modelText(body: unknown): string | undefined {
  const { choices, content } = asRecord(body)
  const [first] = asList(choices)
  return (
    asText(asRecord(asRecord(first)['message'])['content']) ?? asText(asRecord(asList(content)[0])['text'])
  )
}

/** The kinds of calls that leave the service, or would. */
export const goesOut = ({ type }: Call): boolean =>
  !['now', 'random', 'id', 'evaluate', 'link'].includes(type)

/** A call in a few words. */
export function nameCall({ type, request }: Call): string {
  const { method, url, vendor, path, model, subject, flowId } = asRecord(request)
  if (type === 'request') return `${method} ${url}`
  if (type === 'callVendor') return `${vendor}: ${method} ${path}`
  if (type === 'complete') return `model ${model ?? ''}`
  if (type === 'mail') return `mail ${asText(subject) ?? ''}`
  if (type === 'link') return `flow ${flowId ?? ''}`
  return type
}
