export type Storages = 'localStorage' | 'sessionStorage'

/** What a browser has kept; undefined where it has nothing, or is closed to this page. */
export function read(storage: Storages, key: string): string | undefined {
  try {
    return window[storage].getItem(key) ?? undefined
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
