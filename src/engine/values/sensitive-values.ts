import type { Value } from './value.ts'

/** Kinds of values that are masked wherever they are kept or told. A secret is gone with its conversation. */
export type Sensitivity = 'personal' | 'secret'

/** A text that a marked variable holds, or held. */
export interface SensitiveValue {
  /** Of its variable. */
  readonly name: string
  readonly text: string
  readonly sensitivity: Sensitivity
}

/** The same with the mark that stands for it. */
export interface MaskedValue extends SensitiveValue {
  readonly mark: string
}

/** Texts that are as short are masked as whole words only: they are part of too many others. */
const shortest = 4

/** Values of one mask at most; the latest count. */
export const mostMasked = 200

/** The texts of a value: of a list, each of its own. */
export function sensitiveTexts(
  { name, sensitivity }: { readonly name: string; readonly sensitivity: Sensitivity },
  value: Value,
): readonly SensitiveValue[] {
  const texts = Array.isArray(value) ? value : [value]
  return texts.flatMap((text) =>
    typeof text === 'string' && text.trim() !== '' ? [{ name, text: text.trim(), sensitivity }] : [],
  )
}

/** Replaces values by marks that name their variables, in whatever way JSON or an address spells them. */
export class Mask {
  readonly values: readonly MaskedValue[]
  readonly #pattern: RegExp
  readonly #marks: ReadonlyMap<string, string>

  /** No mark is one that `beside` holds already, so that only marks are put back. */
  constructor(values: readonly SensitiveValue[], beside = '') {
    this.values = marked(values, beside)
    const marks = new Map<string, string>()
    for (const { text, mark } of this.values) for (const form of formsOf(text)) marks.set(form, mark)
    this.#marks = marks
    // The longest first: one may be part of another.
    const forms = [...marks.keys()].sort((one, other) => other.length - one.length)
    this.#pattern = new RegExp(forms.map(patternOf).join('|'), 'gu')
  }

  readonly text = (text: string): string =>
    text.replace(this.#pattern, (found) => this.#marks.get(found) as string)

  /** The same data with its texts masked, names of members and what they name apart. */
  readonly data = <Data>(data: Data): Data => mapTexts(data, this.text)

  /** The same for JSON. */
  readonly json = (json: string): string => JSON.stringify(this.data(JSON.parse(json)))
}

/** Puts the values of marks back into texts; with `spell`, in the way that the text around them takes. */
export function unmasking(
  values: readonly Omit<MaskedValue, 'name' | 'sensitivity'>[],
  spell = (text: string) => text,
): (text: string) => string {
  if (values.length === 0) return (text) => text
  const texts = new Map(values.map(({ mark, text }) => [mark, text]))
  const pattern = new RegExp([...texts.keys()].map(literal).join('|'), 'gu')
  return (text) =>
    text.includes('[') ? text.replace(pattern, (mark) => spell(texts.get(mark) as string)) : text
}

/** Data with the values of its marks in their places. */
export function unmaskData<Data>(data: Data, values: readonly MaskedValue[]): Data {
  return values.length === 0 ? data : mapTexts(data, unmasking(values))
}

/** Each text once, with a mark of its own. */
function marked(values: readonly SensitiveValue[], beside: string): readonly MaskedValue[] {
  const byText = new Map<string, MaskedValue>()
  const taken = new Set<string>()
  for (const value of values.slice(-mostMasked)) {
    if (byText.has(value.text)) continue
    const mark = freeMark(value.name, (one) => taken.has(one) || beside.includes(one))
    taken.add(mark)
    byText.set(value.text, { ...value, mark })
  }
  return [...byText.values()]
}

/** `[Email]`, or `[Email 2]` where that is taken. Names hold what JSON would spell its own way, or end a mark. */
export function freeMark(name: string, isTaken: (mark: string) => boolean): string {
  const plain = name.replace(/[^\p{L}\p{N} _.-]/gu, '').trim() || 'masked'
  for (let nth = 1; ; nth++) {
    const mark = nth === 1 ? `[${plain}]` : `[${plain} ${nth}]`
    if (!isTaken(mark)) return mark
  }
}

/** A text as JSON spells it inside another. */
export const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** Ways in which a text stands in others: as it is, inside JSON and JSON inside that, in a query and in a path. */
function formsOf(text: string): ReadonlySet<string> {
  const inAddress = encodeURIComponent(text.toWellFormed())
  return new Set([text, inJson(text), inJson(inJson(text)), inAddress, inAddress.replaceAll('%20', '+')])
}

function patternOf(form: string): string {
  return form.length < shortest ? `(?<![\\p{L}\\p{N}])${literal(form)}(?![\\p{L}\\p{N}])` : literal(form)
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Members that say what something is, and hold nothing that anybody said. */
const namingMembers: ReadonlySet<string> = new Set([
  ...['id', 'type', 'role', 'status', 'entry', 'kind', 'format', 'mark', 'sensitivity'],
  ...['blockId', 'groupId', 'flowId', 'variableId', 'resultId', 'outgoingEdgeId', 'requestId', 'key'],
])

/** The same data with its texts changed, those of plain members apart. */
export function mapTexts<Data>(data: Data, change: (text: string) => string, plain = namingMembers): Data {
  if (typeof data === 'string') return change(data) as Data
  if (Array.isArray(data)) return data.map((part) => mapTexts(part, change, plain)) as Data
  if (typeof data !== 'object' || data === null) return data
  if (data instanceof Date || ArrayBuffer.isView(data)) return data
  const entries = Object.entries(data)
  const changed = (key: string, part: unknown) => (plain.has(key) ? part : mapTexts(part, change, plain))
  return Object.fromEntries(entries.map(([key, part]) => [key, changed(key, part)])) as Data
}
