import { batch, computed, effect, signal } from '@preact/signals'
import type { Client, Definition, Finding } from '../../../client/client.ts'
import { RefusedError } from '../../../client/client.ts'
import { asRecord } from '../../../src/tooling/flow-graph/loose-json.ts'
import { read, write } from '../../shared/browser-storage.ts'
import { readParts } from './flow-parts.ts'
import type { BrokenTextError, CompiledText, Convert } from './yaml-form.ts'

export type Draft = ReturnType<typeof createDraft>

/** Where a draft came from. */
export interface Origin {
  /** Of the published flow, or of the file. */
  readonly label: string
  readonly kind: 'published' | 'file' | 'link'
}

/** How the text of a draft is written. */
export type Form = 'json' | 'yaml'

interface Options {
  readonly client: () => Client
  readonly convert: Convert
}

interface Kept {
  readonly text: string
  readonly form: Form
  readonly origin: Origin
}

const key = 'flow-runtime/try/draft'

/** Milliseconds without a change after which a draft is checked. */
const restMs = 350

const yamlForm = () => import('./yaml-form.ts')

/** The text of a flow that somebody works on, with what there is to say about it. */
export function createDraft({ client, convert }: Options) {
  const text = signal('')
  const form = signal<Form>('json')
  const origin = signal<Origin | undefined>(undefined)
  const findings = signal<readonly Finding[]>([])
  const problem = signal<string | undefined>(undefined)
  /** The text that the findings are of. */
  const checked = signal<string | undefined>(undefined)
  /** The last text in YAML that was a flow. */
  const compiled = signal<CompiledText | undefined>(undefined)
  let compiling: { readonly text: string; readonly done: Promise<CompiledText> } | undefined
  let good: Definition | undefined

  /** That of the last text that was right: what is drawn stays while somebody types. */
  const definition = computed(() => {
    if (form.value === 'yaml') return compiled.value?.definition
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
    try {
      await settle()
      if (signal.aborted) return
      problem.value = undefined
      const flow = form.value === 'yaml' ? definition.value : undefined
      const { findings: found } = await client().check(flow ? { flow } : { source }, signal)
      const inLines = flow ? await withLines(found) : found
      batch(() => {
        findings.value = inLines
        checked.value = source
      })
    } catch (error) {
      if (signal.aborted) return
      // Without a token, or connection, the draft goes unchecked; the conversation says why.
      if (error instanceof RefusedError) findings.value = []
      if (isAboutText(error)) tell(error)
    }
  }

  const tell = (error: Error & Partial<Pick<BrokenTextError, 'findings'>>) =>
    batch(() => {
      problem.value = error.message
      if (error.findings) findings.value = error.findings
    })

  /** Is done when the definition is that of the text. Throws for a text that is none. */
  const settle = async (): Promise<void> => {
    const source = text.value
    if (form.value === 'json') {
      const { error } = parse(source)
      if (error !== undefined) throw new SyntaxError(error)
    } else if (compiled.value?.text !== source) {
      const found = await compile(source)
      if (text.value === source) compiled.value = found
    }
  }

  /** Asked for at once by the check and by whoever wants to talk, a text is compiled once. */
  const compile = (source: string): Promise<CompiledText> => {
    if (compiling?.text === source) return compiling.done
    const done = yamlForm().then(({ compileText }) => compileText(source, convert))
    const begun = { text: source, done }
    compiling = begun
    const forget = () => {
      if (compiling === begun) compiling = undefined
    }
    done.then(forget, forget)
    return done
  }

  const withLines = async (found: readonly Finding[]): Promise<readonly Finding[]> => {
    const { rangeAt } = await yamlForm()
    return found.map((one) => ({ ...one, range: rangeAt(placeOf(one.pointer) ?? '1:1') }))
  }

  /** `line:column` of a text in YAML that a part comes from: of what is absent, that of what is around it. */
  const placeOf = (pointer: string): string | undefined => {
    const { places = {} } = (form.value === 'yaml' && compiled.value) || {}
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/')))
      if (places[at] !== undefined || at === '') return places[at]
  }

  const show = (given: Kept) =>
    batch(() => {
      findings.value = []
      problem.value = undefined
      if (origin.value?.label !== given.origin.label) compiled.value = undefined
      form.value = given.form
      text.value = given.text
      origin.value = given.origin
    })

  return {
    text,
    form,
    origin,
    findings,
    /** Why the text is no flow in its form; undefined for one that is. */
    problem,
    /** Whether the findings are all that there are of this text. */
    isChecked: computed(() => checked.value === text.value),
    definition,
    parts,
    settle,
    title: computed(() => parts.value.title ?? origin.value?.label ?? 'Try a flow'),
    placeOf,
    /** Takes the text of a file: a definition in either form, or an export that holds one. Throws for anything else. */
    async open(given: string, from: Origin): Promise<void> {
      if (!/^\s*[{[]/.test(given)) {
        if (!/^groups\s*:/m.test(given)) throw new Error(noFlow)
        show({ text: given, form: 'yaml', origin: from })
        await settle().catch((error: Error) => tell(error))
        return
      }
      const { value, error } = parse(given)
      if (error !== undefined) throw new Error(error)
      const found = definitionIn(value)
      if (!found) throw new Error(noFlow)
      const source = found === value ? given : JSON.stringify(found, null, 2)
      show({ text: source, form: 'json', origin: from })
    },
    /** Keeps it for a reload of this tab. */
    keep: () =>
      write(
        'sessionStorage',
        key,
        JSON.stringify({ text: text.value, form: form.value, origin: origin.value }),
      ),
    /** Goes on with what this tab kept, if that came from the same place. */
    async recall(wanted: Partial<Origin>): Promise<boolean> {
      const kept = asRecord(parse(read('sessionStorage', key) ?? '').value) as Partial<Kept>
      const { text: given, form: written = 'json', origin: from } = kept
      if (given === undefined || !from) return false
      if (wanted.kind !== undefined && wanted.kind !== from.kind) return false
      if (wanted.label !== undefined && wanted.label !== from.label) return false
      show({ text: given, form: written, origin: from })
      await settle().catch(() => undefined)
      return true
    },
  }
}

const noFlow = 'There is no flow in this file: a flow has "groups"'

/** Whether it is the text that is wrong, and not the connection. */
const isAboutText = (error: unknown): error is Error =>
  error instanceof SyntaxError ||
  (error instanceof RefusedError && error.status === 400) ||
  (error instanceof Error && error.name === 'BrokenTextError')

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
