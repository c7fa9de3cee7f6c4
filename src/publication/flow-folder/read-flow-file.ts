import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A flow beyond this size is a mistake, not a flow. */
const mostMebibytes = 32
const mostBytes = mostMebibytes * 1024 * 1024

/** How long a file has to be left alone until its time of change distinguishes versions on any file system. */
const settledAfterMs = 2_000

/** The content of a flow's file. */
export interface FlowFile {
  readonly text: string
  /** Stays the same while the file does; undefined when it was written too recently to be sure. */
  readonly signature: string | undefined
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/**
 * The names of the flow files in a folder, in the order of their code units; undefined when there is no folder.
 * Links count as what they lead to. Hidden files are the editors' business, or the halves of an atomic swap.
 */
export async function listFlowFiles(
  folder: string,
  endings: readonly string[] = ['.json'],
): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const candidates = entries.filter(
      ({ name }) => endings.some((ending) => name.endsWith(ending)) && !name.startsWith('.'),
    )
    const verdicts = await Promise.all(
      candidates.map((entry) => entry.isFile() || mayBeFile(join(folder, entry.name))),
    )
    return candidates
      .filter((_, index) => verdicts[index])
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** A path that can't be looked at is taken for a file: reading it gives the reason. */
async function mayBeFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ?? true
}

function isAbsence(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/**
 * Reads a file, unless it still has the signature it is known by; undefined then.
 * Throws when it can't be read, is not UTF-8, or is too large.
 */
export async function readFlowFile(
  path: string,
  knownSignature: string | undefined,
): Promise<FlowFile | undefined> {
  const { mtimeMs, ctimeMs, size, ino, dev } = await stat(path)
  const signature = [mtimeMs, ctimeMs, size, ino, dev].join(':')
  if (signature === knownSignature) return undefined
  refuseIfTooLarge(size)
  const bytes = await readFile(path)
  refuseIfTooLarge(bytes.length)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > settledAfterMs
  return { text, signature: isSettled ? signature : undefined, modifiedAt: Math.round(mtimeMs) }
}

function refuseIfTooLarge(size: number): void {
  if (size > mostBytes) throw new Error(`must be at most ${mostMebibytes} MiB, and has ${size} bytes`)
}
