import type { ByteString } from '../lib/byte-string.ts'

/** A turn with the lists that these clients go through without a look whether they are there. */
export function withEmptyLists(turn: ByteString): ByteString {
  const { clientSideActions, logs } = JSON.parse(turn) as Readonly<Record<string, unknown>>
  const actions = clientSideActions === undefined ? ',"clientSideActions":[]' : ''
  return `${turn.slice(0, -1)}${actions}${logs === undefined ? ',"logs":[]' : ''}}` as ByteString
}
