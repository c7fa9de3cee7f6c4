import { invalidInput } from '../lib/errors.ts'
import type { FlowTable } from '../stores/flow-table.ts'

interface NamedVersion {
  readonly publicId: string
  readonly version: string | undefined
}

/**
 * The hash of a version that is named by it, or by its number where the flow was published over HTTP. Throws BAD_REQUEST for a
 * number that none of the latest versions has.
 */
export async function versionHash(
  { publicId, version }: NamedVersion,
  { flowTable }: { readonly flowTable: Pick<FlowTable, 'versions'> },
): Promise<string | undefined> {
  if (version === undefined || !/^\d{1,9}$/.test(version)) return version
  const versions = await flowTable.versions(publicId)
  const found = versions.find(({ version: number }) => number === Number(version))
  if (found) return found.hash
  throw invalidInput([{ pointer: '/version', message: 'is no number of a version of this flow' }])
}
