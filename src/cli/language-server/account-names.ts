import type { Block } from '../../../schemas/blocks/index.ts'
import { azureType } from '../../config/credentials/credential-schemas.ts'
import { parseDefinition } from '../../definition/parse-definition.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import { readTextFile } from '../input/read-text-file.ts'

/** An account without what it holds. */
export interface AccountName {
  readonly id: string
  readonly type: string
}

/** The accounts of CREDENTIALS_FILE, whose keys are left where they are; none where it can't be read. */
export async function readAccountNames(file: string | undefined): Promise<readonly AccountName[]> {
  if (file === undefined) return []
  const entries = await readTextFile(file).then(parseDefinition, () => [])
  return Array.isArray(entries) ? entries.filter(isAccountName).map(({ id, type }) => ({ id, type })) : []
}

function isAccountName(entry: unknown): entry is AccountName {
  const { id, type } = Object(entry) as Partial<Record<keyof AccountName, unknown>>
  return typeof id === 'string' && typeof type === 'string'
}

/** The types of accounts that a type of block can call with. */
export function accountTypesOf(blockType: string, registry: BlockRegistry): readonly string[] {
  const block = { id: '', type: blockType, options: {} } as unknown as Block
  const type = registry.get(blockType)?.marks?.account?.(block)
  if (type === undefined) return []
  return type === 'openai' ? [type, azureType] : [type]
}
