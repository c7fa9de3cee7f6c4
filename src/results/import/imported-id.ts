import { sessionHash } from '../../lib/session-hash.ts'

const beginning = 'imported-'

/** The id of the result of a row: the same for the same key, so that a row that comes again is known. */
export const importedId = (flowId: string, key: string): string =>
  beginning + sessionHash(JSON.stringify([flowId, key]))

/** Whether a result was imported. No conversation is given such an id, as others could find it by what they know of a row. */
export const isImported = ({ id }: { readonly id: string }): boolean => id.startsWith(beginning)
