/** The part of `node:sqlite` that this store uses, which `@photostructure/sqlite` has as well. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Stands at the time of the request that is carried out, in milliseconds since 1970. */
export interface Clock {
  now: number
}

interface Statement {
  run(...values: readonly SqlValue[]): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  get<Row>(...values: readonly SqlValue[]): Row | undefined
  all<Row>(...values: readonly SqlValue[]): Row[]
}

type SqlValue = string | number | null | Uint8Array

/** Prepares statements by their names. */
export function prepareAll<Name extends string>(
  database: Database,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  const named = Object.entries<string>(texts).map(([name, text]) => [name, database.prepare(text)])
  return Object.fromEntries(named)
}

export type BindingName = 'node:sqlite' | '@photostructure/sqlite'

interface Binding {
  readonly DatabaseSync: new (path: string) => Database
}

/** The first release of Node whose SQLite is more than an experiment. */
const builtInSince = [24, 15] as const

/** SQLite as this version of Node has it, else the package with the same API. */
export function usualBinding(version = process.versions.node): BindingName {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [firstMajor, firstMinor] = builtInSince
  const isBuiltIn = major > firstMajor || (major === firstMajor && minor >= firstMinor)
  return isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite'
}

/** Loads a binding. Throws with the remedy where it is not installed. */
export async function loadBinding(name: BindingName): Promise<Binding> {
  try {
    return (await import(name)) as Binding
  } catch (cause) {
    const remedy = `install the package @photostructure/sqlite, or use Node ${builtInSince.join('.')} or later`
    throw new Error(`DATA_DIR needs SQLite, and ${name} cannot be loaded: ${remedy}`, { cause })
  }
}

/** By the words of SQLite, which are fixed. */
const codesByMessage: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['out of memory', 7],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['string or blob too big', 18],
  ['file is not a database', 26],
])

/** The error code of SQLite; undefined for what is no error of it. The package leaves it out where rows are read. */
export function errcodeOf(error: unknown): number | undefined {
  const { errcode, message } = error as { errcode?: number; message: string }
  return errcode ?? codesByMessage.get(message)
}
