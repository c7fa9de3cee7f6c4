export type Storages = 'localStorage' | 'sessionStorage'

/** Texts that the browser did not take: kept as long as this page, or by somebody else who is told. */
const refused = new Map<string, string>()
let tell: ((kept: Readonly<Record<string, string>>) => void) | undefined

/** Whether the browser keeps anything for this page. */
export function isStorageOpen(): boolean {
  try {
    return window.sessionStorage !== null
  } catch {
    return false
  }
}

/** Has what the browser refuses kept elsewhere; `kept` is what was there before. */
export function keepElsewhere(kept: Readonly<Record<string, string>>, keep: NonNullable<typeof tell>): void {
  for (const [key, text] of Object.entries(kept)) refused.set(key, text)
  tell = keep
}

/** What was kept; undefined where nothing was. */
export function read(storage: Storages, key: string): string | undefined {
  try {
    return refused.get(key) ?? window[storage].getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** The value that a text says as JSON; undefined for one that is none. */
export function readJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps a text, or with undefined forgets it. */
export function write(storage: Storages, key: string, text: string | undefined): void {
  const wasRefused = refused.delete(key)
  try {
    if (text === undefined) window[storage].removeItem(key)
    else window[storage].setItem(key, text)
  } catch {
    // Full, or closed to this page.
    if (text !== undefined) refused.set(key, text)
    if (text !== undefined || wasRefused) tell?.(Object.fromEntries(refused))
  }
}
