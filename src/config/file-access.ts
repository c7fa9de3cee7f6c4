import { stat } from 'node:fs/promises'

const ofOthers = 0o077

/** A warning where other users of the machine may enter or read what a variable names; nothing that is there, no warning. */
export async function warnOfReaders(variable: string, path: string | undefined): Promise<readonly string[]> {
  // Elsewhere the bits of a mode say nothing of who may read.
  if (path === undefined || process.platform === 'win32') return []
  const found = await stat(path).catch(() => undefined)
  if (!found || (found.mode & ofOthers) === 0) return []
  const right = found.isDirectory() ? '700' : '600'
  return [`${variable} is open to other users of this machine: chmod ${right} ${path}`]
}
