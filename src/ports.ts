import type { Readable } from 'node:stream'

/** What a turn may call outside itself. Tests hand in fixed ones; adapters hold the real ones. */
export interface Ports {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only ever grow, for measuring how long something took. */
  elapsed(): number
  /** Evenly from [0, 1). */
  random(): number
  /** A secret of at least 120 bits. The purpose lets a test tell ids apart; it may not show in the id. */
  createId(purpose: 'session' | 'result' | 'value' | 'upload'): string
  /** Resolves once whatever else is waiting had its turn. */
  nextTurn(): Promise<void>
}

/** Where an uploaded file is kept. The service makes each of the names itself. */
export interface FilePlace {
  /** Names the conversation that the file belongs to: 32 hexadecimal digits. */
  readonly owner: string
  readonly name: string
  readonly isPrivate: boolean
}

/** A file that is about to be read. It is either read or closed. */
export interface OpenFile {
  readonly size: number
  /** The content, or a part of it; both ends are included. */
  read(part?: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** Keeps uploaded files, up to a bound for all of them together, and for a time. */
export interface UploadedFiles {
  /**
   * Keeps a file. Of one that is not saved nothing is left; one that is there, or is being written, stays as it is.
   * Throws what the content throws.
   */
  save(
    place: FilePlace,
    content: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<'saved' | 'exists' | 'too large' | 'full'>
  /** Undefined when there is no such file. */
  open(place: FilePlace): Promise<OpenFile | undefined>
  /** Whether a file of this many bytes may still be kept. */
  hasRoomFor(bytes: number): boolean
  /** Erases every file of an owner. */
  removeOwned(owner: string): Promise<void>
  /** Lets go of what is running for the files. They are not used afterwards. */
  close(): Promise<void>
}
