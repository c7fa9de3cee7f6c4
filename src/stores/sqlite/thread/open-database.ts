import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isBrokenFile, remedyFor } from '../broken-file.ts'
import type { Failure } from '../database-protocol.ts'
import { type BindingName, type Database, errcodeOf, loadBinding } from './binding.ts'
import { type LastCommit, openLastCommit } from './last-commit.ts'
import { migrate } from './migrations.ts'

/** A database, and how to let go of it and of its folder. */
export interface OpenDatabase {
  readonly database: Database
  /** For the operator to know. */
  readonly warning: string | undefined
  /** Why the log could not be brought into the database: what is there can be read all the same. */
  readonly failure: Failure | undefined
  /** To be called after each transaction. */
  committed(): void
  /** Brings the log into the database, so that it begins anew. What it holds is safe without that. */
  checkpoint(): Failure | undefined
  /** Brings a part of the log into the database as soon as there is one: of all at once, turns would wait for the disk. */
  checkpointPart(): void
  close(): void
}

/** Pages of such a part: copied and synced in three milliseconds, where five hundred take six to thirty. */
const partFrames = 200

interface DatabaseLocation {
  readonly folder: string
  readonly binding: BindingName
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Kinds of network file systems, by the numbers that Linux has for them: WAL needs memory that is shared. */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB',
}

/** Opens the database of a folder, for this process alone. Throws in words that name the setting. */
export async function openDatabase({ folder, binding, now }: DatabaseLocation): Promise<OpenDatabase> {
  const { DatabaseSync } = await loadBinding(binding)
  makeFolder(folder)
  refuseNetwork(folder)
  const opened: Database[] = []
  const open = (file: string) => {
    keepFromOthers(join(folder, file))
    const database = new DatabaseSync(join(folder, file))
    opened.push(database)
    return database
  }
  let lastCommit: LastCommit | undefined
  const close = () => {
    lastCommit?.expectNothing()
    for (const database of opened.splice(0).reverse()) database.close()
    lastCommit?.close()
  }
  try {
    lock(open('lock.db'), folder)
    lastCommit = openLastCommit(folder)
    const database = open('data.db')
    configure(database)
    const lost = lastCommit.lostFrames()
    const checkpoint = () => emptyLog(database, lastCommit)
    const failure = checkpoint()
    const { frames } = lastCommit
    const checkpointPart = () => {
      if (frames() >= partFrames) copyLog(database)
    }
    migrate(database, now)
    const warning = lost === 0 ? undefined : describeLoss(lost, folder)
    return { database, warning, failure, committed: lastCommit.note, checkpoint, checkpointPart, close }
  } catch (error) {
    close()
    throw describeFailure(error, folder)
  }
}

function emptyLog(database: Database, lastCommit: LastCommit | undefined): Failure | undefined {
  lastCommit?.expectNothing()
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return undefined
  } catch (error) {
    return { message: (error as Error).message, errcode: errcodeOf(error), code: undefined }
  } finally {
    lastCommit?.note()
  }
}

/** A copy that fails is made by the next one, which a full log brings about by itself. */
function copyLog(database: Database): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {}
}

const describeLoss = (frames: number, folder: string) =>
  `${frames} frames of the log ${join(folder, 'data.db-wal')} are unreadable: what was answered last is lost`

/** SQLite says neither which file it means nor what can be done. */
function describeFailure(error: unknown, folder: string): unknown {
  const errcode = errcodeOf(error)
  if (errcode === undefined) return error
  const place = isBrokenFile(errcode) ? remedyFor(folder) : folder
  return new Error(`DATA_DIR cannot be used (${(error as Error).message}): ${place}`, { cause: error })
}

function makeFolder(folder: string): void {
  try {
    makeFolders(resolve(folder))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`DATA_DIR cannot be used as a folder (${code}): ${folder}`, { cause })
  }
}

/** Does what `recursive` does, which tries for ever where a folder that is there takes none. */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  // Sessions and answers are secrets of their visitors.
  mkdirSync(folder, { mode: 0o700 })
}

/** Conversations are for the user of the service alone, in whichever folder; SQLite gives a log the mode of its database. */
function keepFromOthers(file: string): void {
  try {
    // Made here, as SQLite would leave its mode to the umask.
    closeSync(openSync(file, 'a', 0o600))
    for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600)
  } catch {
    // SQLite says why a file can't be opened; some file systems know no modes.
  }
}

function refuseNetwork(folder: string): void {
  const kind = networkFileSystems[statfsSync(folder).type]
  if (kind === undefined) return
  throw new Error(
    `DATA_DIR is on a network file system (${kind}), and SQLite needs a disk of this machine: ${folder}`,
  )
}

/** Holds the folder for as long as the process lives; a kill gives it back, which a file with a pid would not. */
function lock(database: Database, folder: string): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    const busy = 5
    if (errcodeOf(cause) !== busy) throw cause
    throw new Error(
      `DATA_DIR is in use by another process, and only one can own it: ${folder}. End that process, or give this one ` +
        'a folder of its own',
      { cause },
    )
  }
}

/**
 * FULL, since NORMAL answers before the disk has anything. The vacuum has to be chosen before the first table. A log of
 * 16 MiB: starts touch a random page of the index each, and what is touched again meanwhile is copied once.
 */
function configure(database: Database): void {
  database.exec('PRAGMA busy_timeout = 1000')
  // A file that has it would be written for nothing, which fails on a disk that is full.
  const incremental = 2
  const { mode } = database.prepare('SELECT auto_vacuum AS mode FROM pragma_auto_vacuum').get() as {
    mode: number
  }
  if (mode !== incremental) database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec(
    `PRAGMA journal_mode = WAL;
     PRAGMA synchronous = FULL;
     PRAGMA secure_delete = FAST;
     PRAGMA wal_autocheckpoint = 4000;
     PRAGMA journal_size_limit = 67108864;
     PRAGMA cache_size = -16384`,
  )
  // The first statement reads the log.
  database.prepare('SELECT count(*) FROM sqlite_schema').get()
}
