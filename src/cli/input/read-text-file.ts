import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UsageError } from '../command.ts'

/** A file beyond this size is a mistake: no flow, recording or test comes near it. */
const mostMebibytes = 32
const mostBytes = mostMebibytes * 1024 * 1024

/** As `readTextFile`, for a file that the arguments name. Throws a UsageError that begins with its path. */
export async function readNamedFile(path: string): Promise<string> {
  return await readTextFile(path).catch((error: Error) => {
    throw new UsageError(`${path} ${error.message}`, { cause: error })
  })
}

/**
 * Reads a file. Throws for what is no file (a folder, a device, a pipe, which might never end), has more than 32 MiB
 * whatever it claims, or is no text in UTF-8.
 */
export async function readTextFile(path: string): Promise<string> {
  // Without it the end of a pipe would be waited for before anything is known of it.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags).catch(refuseUnreadable)
  try {
    if (!(await file.stat()).isFile()) throw new Error('is no file')
    return decode(await readBytes(file).catch(refuseUnreadable))
  } finally {
    await file.close()
  }
}

async function readBytes(file: FileHandle): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of file.createReadStream({
    autoClose: false,
    highWaterMark: 256 * 1024,
    end: mostBytes,
  })) {
    size += piece.length
    pieces.push(piece)
  }
  return Buffer.concat(pieces, size)
}

function decode(bytes: Buffer): string {
  if (bytes.length > mostBytes) throw new Error(`has more than ${mostMebibytes} MiB`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Error('is no text in UTF-8', { cause })
  }
}

function refuseUnreadable(cause: Error): never {
  throw new Error(`can not be read: ${cause.message}`, { cause })
}
