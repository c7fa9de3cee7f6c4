import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'

export type LastCommit = ReturnType<typeof openLastCommit>

/** Where a log has come to. When it begins anew, its first salt is one more. */
interface Place {
  readonly frames: number
  readonly salts: readonly [number, number]
}

const nothing: Place = { frames: 0, salts: [0, 0] }

/** Three numbers of four bytes each. */
const noteBytes = 12

/** The index of the log has the number of frames in the order of this machine, and the salts as the log has them. */
const indexBytes = 40
const framesAt = 16
const saltsAt = 32

/** A log that began anew so often since the last note is another one. */
const mostRounds = 1000

/**
 * How far the log of SQLite went at the last commit, in a file beside it. SQLite ends a log at its first bad frame, as it
 * can't tell what was never written from what was cut off or overwritten: what was answered would be gone without a word.
 */
export function openLastCommit(folder: string) {
  const file = openSync(join(folder, 'last-commit'), constants.O_RDWR | constants.O_CREAT, 0o600)
  const opened = [file]
  const expected = readNote(file)
  let index: number | undefined

  function present(): Place {
    if (index === undefined) {
      index = openSync(join(folder, 'data.db-shm'), 'r')
      opened.push(index)
    }
    return readIndex(index)
  }

  return {
    /** How many frames that were committed can't be read. To be asked once the log was read, before anything is written. */
    lostFrames(): number {
      const { frames, salts } = present()
      if (salts[0] === expected.salts[0] && salts[1] === expected.salts[1])
        return Math.max(0, expected.frames - frames)
      const rounds = (salts[0] - expected.salts[0]) >>> 0
      return frames > 0 && rounds > 0 && rounds <= mostRounds ? 0 : expected.frames
    },
    /** How long the log is. */
    frames: () => present().frames,
    /** Notes how far the log goes. That is not synced: the disk has what is noted already. */
    note: () => unlessItFails(() => writeNote(file, present())),
    /** The content of the log is about to go into the database: nothing is to be expected of the log. */
    expectNothing: () => unlessItFails(() => writeNote(file, nothing)),
    /** To be called once the database is closed: SQLite loses its locks when a file of its own is closed. */
    close(): void {
      for (const each of opened) closeSync(each)
    },
  }
}

function readNote(file: number): Place {
  const bytes = Buffer.alloc(noteBytes)
  if (readSync(file, bytes, 0, noteBytes, 0) < noteBytes) return nothing
  return { frames: bytes.readUInt32BE(0), salts: [bytes.readUInt32BE(4), bytes.readUInt32BE(8)] }
}

function readIndex(index: number): Place {
  const bytes = Buffer.alloc(indexBytes)
  if (readSync(index, bytes, 0, indexBytes, 0) < indexBytes) return nothing
  const frames = endianness() === 'LE' ? bytes.readUInt32LE(framesAt) : bytes.readUInt32BE(framesAt)
  return { frames, salts: [bytes.readUInt32BE(saltsAt), bytes.readUInt32BE(saltsAt + 4)] }
}

/** A commit is one whether it is noted or not; an older note expects less of the log. */
function unlessItFails(write: () => void): void {
  try {
    write()
  } catch {}
}

function writeNote(file: number, { frames, salts }: Place): void {
  const bytes = Buffer.alloc(noteBytes)
  for (const [place, number] of [frames, ...salts].entries()) bytes.writeUInt32BE(number, 4 * place)
  writeSync(file, bytes, 0, noteBytes, 0)
}
