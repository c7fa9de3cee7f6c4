import { ConfigError } from '../../lib/config-error.ts'
import { type Blocks, loadBlocks } from '../../own-blocks/load-blocks.ts'
import { type Console, UsageError } from '../command.ts'

/** The option by which commands take own block types. */
export const blocksOption = { blocks: { type: 'string' } } as const

/** Loads the block types of a folder, or of BLOCKS_DIR where none is named. Throws a UsageError for one that can't be used. */
export async function readBlocks(folder: string | undefined, { env }: Pick<Console, 'env'>): Promise<Blocks> {
  try {
    return await loadBlocks(folder ?? (env['BLOCKS_DIR'] || undefined))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new UsageError(error.message)
  }
}
