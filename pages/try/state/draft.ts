import { computed, effect, signal } from '@preact/signals'
import type { Client, Definition, Finding } from '../../../client/client.ts'
import { RefusedError } from '../../../client/client.ts'
import { asRecord } from '../../../src/tooling/flow-graph/loose-json.ts'
import { read, write } from '../../shared/browser-storage.ts'
import { readParts } from './flow-parts.ts'

export type Draft = ReturnType<typeof createDraft>

/** Where a draft came from. */
export interface Origin {
  /** Of the published flow, or of the file. */
  readonly label: string
  readonly kind: 'published' | 'file' | 'link'
}

const key = 'flow-runtime/try/draft'

/** Milliseconds without a change after which a draft is checked. */
const restMs = 350

/** The text of a flow that somebody works on, with what there is to say about it. */
export function createDraft(client: () => Client) {
  const text = signal('')
  const origin = signal<Origin | undefined>(undefined)
  const findings = signal<readonly Finding[]>([])
  const problem = signal<string | undefined>(undefined)
  let good: Definition | undefined

  /** The last text that was JSON: what is drawn stays while somebody types. */
  const definition = computed(() => {
    const { value } = parse(text.value)
    good = value ?? (text.value === '' ? undefined : good)
    return good
  })
  const parts = computed(() => readParts(definition.value))

  effect(() => {
    const source = text.value
    if (source === '') return undefined
    const checking = new AbortController()
    const timer = setTimeout(() => void check(source, checking.signal), restMs)
    return () => {
      clearTimeout(timer)
      checking.abort()
    }
  })

  const check = async (source: string, signal: AbortSignal) => {
    const { error } = parse(source)
    problem.value = error
    if (error !== undefined) return
    try {
      findings.value = (await client().check({ source }, signal)).findings
    } catch (refusal) {
      // Without a token, or connection, the draft goes unchecked; the conversation says why.
      if (refusal instanceof RefusedError) findings.value = []
    }
  }

  const open = (given: string, from: Origin) => {
    findings.value = []
    text.value = given
    origin.value = from
  }

  return {
    text,
    origin,
    findings,
    /** Why the text is no JSON; undefined for one that is. */
    problem,
    definition,
    parts,
    title: computed(() => parts.value.title ?? origin.value?.label ?? 'Try a flow'),
    /** Takes the text of a file: a definition, or an export that holds one. Throws for anything else. */
    open(given: string, from: Origin): void {
      const { value, error } = parse(given)
      if (error !== undefined) throw new Error(error)
      const found = definitionIn(value)
      if (!found) throw new Error('There is no flow in this file: a flow has "groups"')
      open(found === value ? given : JSON.stringify(found, null, 2), from)
    },
    /** Keeps it for a reload of this tab. */
    keep: () => write('sessionStorage', key, JSON.stringify({ text: text.value, origin: origin.value })),
    /** Goes on with what this tab kept, if that came from the same place. */
    recall(wanted: Partial<Origin>): boolean {
      const kept = asRecord(parse(read('sessionStorage', key) ?? '').value) as {
        text?: string
        origin?: Origin
      }
      if (kept.text === undefined || !kept.origin) return false
      if (wanted.kind !== undefined && wanted.kind !== kept.origin.kind) return false
      if (wanted.label !== undefined && wanted.label !== kept.origin.label) return false
      open(kept.text, kept.origin)
      return true
    },
  }
}

function parse(text: string): { readonly value?: Definition; readonly error?: string } {
  try {
    return { value: JSON.parse(text) as Definition }
  } catch (error) {
    return { error: `This is no JSON: ${error instanceof Error ? error.message : error}` }
  }
}

/** Exports of editors wrap a definition in an object of one more level. */
function definitionIn(value: unknown): unknown {
  const hasGroups = (one: unknown) => Array.isArray(asRecord(one)['groups'])
  return hasGroups(value) ? value : Object.values(asRecord(value)).find(hasGroups)
}
