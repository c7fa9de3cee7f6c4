import type { NamesOfText, Occurrence } from './occurrence.ts'

/** Why something can not be called so; said to the author. */
export class RenameError extends Error {
  override readonly name = 'RenameError'
}

/** A replacement in a text. */
interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Throws a RenameError for a name that another has, or that no text could name. */
export function checkNewName(names: NamesOfText, renamed: Occurrence, newName: string): void {
  const { kind, by, called } = renamed
  if (newName.trim() === '') throw new RenameError('A name holds something')
  if (kind === 'variable' && /[{}\n]/.test(newName))
    throw new RenameError('The name of a variable holds no braces and no line end: {{…}} could not name it')
  if (!isPlain(newName) && namedBy(names, renamed).some(({ form }) => form === 'yaml inside'))
    throw new RenameError(
      'It stands inside a text or a condition, where a name holds letters, digits, blanks, hyphens and underscores alone',
    )
  if (newName !== called && names.declared.some((one) => one.kind === kind && one[by] === newName))
    throw new RenameError(`Another ${kind} is called "${newName}"`)
}

/** Replacements in one text that knows what is renamed by the same word. */
export function replacementsIn(names: NamesOfText, renamed: Occurrence, newName: string): Replacement[] {
  return namedBy(names, renamed).map(({ start, end, form }) => ({ start, end, text: writers[form](newName) }))
}

/** Occurrences that are called by the same word as another. */
const namedBy = ({ occurrences }: NamesOfText, { kind, by, called }: Occurrence) =>
  occurrences.filter((one) => one.kind === kind && one.by === by && one.called === called)

const asJson = (name: string) => JSON.stringify(name).slice(1, -1)

/** How a name is written as a value or a key of YAML. */
export const asYaml = (name: string) => (isPlain(name) ? name : JSON.stringify(name))

/** How a name is written where an occurrence stands. */
const writers: Readonly<Record<Occurrence['form'], (name: string) => string>> = {
  json: asJson,
  // A text of JavaScript in a text of JSON.
  code: (name) => asJson(asJson(name)),
  'yaml quoted': (name) => name.replaceAll("'", "''"),
  yaml: asYaml,
  'yaml inside': (name) => name,
}

/** Whether YAML reads a word without quotes as that text, in lists and maps of one line too. */
const isPlain = (name: string) =>
  /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name) && !/^(?:true|false|null|yes|no|on|off)$|\s$/i.test(name)
