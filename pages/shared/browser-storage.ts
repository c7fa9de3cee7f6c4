export type Storages = 'localStorage' | 'sessionStorage'

/** What a browser has kept; undefined where it has nothing, or is closed to this page. */
export function read(storage: Storages, key: string): string | undefined {
  try {
    return window[storage].getItem(key) ?? undefined
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
  try {
    if (text === undefined) window[storage].removeItem(key)
    else window[storage].setItem(key, text)
  } catch {
    // Full, or closed to this page.
  }
}
