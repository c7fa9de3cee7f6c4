import type { Readable } from 'node:stream'

/** Place of an uploaded file. The service makes each of the names itself. */
export interface FilePlace {
  /**
   * Names the conversation that the file belongs to: 32 hexadecimal digits, behind `preview-` for a short-lived one.
   */
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

/** A file that a client sends without this service. */
export interface DirectFile {
  /** MIME type. */
  readonly type: string
  readonly bytes: number
  readonly seconds: number
}

/** Outcome of a save; `owner full`: the owner's quota is used up, though the disk has room. */
export type SaveOutcome = 'saved' | 'exists' | 'too large' | 'owner full' | 'full' | 'disk full' | 'erased'

/** Keeps uploaded files, up to a bound for all of them together and for each owner, and for a time. */
export interface UploadedFiles {
  /**
   * Keeps a file. Of one that is not saved nothing is left; one that is there stays as it is, and of several that
   * are written at once the first to be whole is kept. Throws what the content throws, and for a place that the
   * service did not make.
   */
  save(place: FilePlace, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<SaveOutcome>
  /** Undefined when there is no such file. */
  open(place: FilePlace): Promise<OpenFile | undefined>
  /** Whether a file of this many bytes may still be kept for an owner. */
  roomFor(owner: string, bytes: number): Promise<'enough' | 'owner full' | 'full'>
  /**
   * The address that takes one file of this type and size from a client itself, for so many seconds; it counts as kept from
   * now on. Undefined where files go through this service.
   */
  direct?(place: FilePlace, file: DirectFile): Promise<{ readonly url: string } | 'owner full' | 'full'>
  /** Erases every file of the owners, and keeps none for a quarter of an hour. */
  removeOwned(owners: readonly string[]): Promise<void>
  /** Whether files can be kept, as far as that is known without keeping one. */
  isWritable(): Promise<boolean>
  /** Waits for what is running, and lets go of everything. The files are not used afterwards. */
  close(): Promise<void>
}
