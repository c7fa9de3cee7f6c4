import { credentialSkeleton, type NeededAccount } from '../../config/credentials/credential-skeleton.ts'
import type { FlowModel } from '../../tooling/lint/model/flow-model.ts'
import { accountOf } from '../../tooling/lint/model/placed-block.ts'

/** A block that calls with an account of the operator. */
export interface AccountUse extends NeededAccount {
  readonly group: string
  readonly blockId: string
  readonly block: string
}

interface FlowOfUses {
  readonly publicId: string
  readonly accounts: readonly AccountUse[]
}

/** Every block of a flow that calls with an account of the operator. */
export function accountsUsedBy({ blocks }: FlowModel): readonly AccountUse[] {
  return blocks.flatMap((placed) => {
    const account = accountOf(placed)
    if (!account) return []
    const { block, group } = placed
    const { type, id } = account
    return [{ type, id, group: group.title ?? group.id, blockId: block.id, block: block.type }]
  })
}

/** The accounts that flows need, by their types, each once with the blocks that need it, and what CREDENTIALS_FILE is to hold. */
export function neededAccounts(flows: readonly FlowOfUses[]) {
  const uses = flows.flatMap(({ publicId, accounts }) => accounts.map((use) => ({ ...use, flow: publicId })))
  const byType = uses.toSorted((a, b) => (a.type < b.type ? -1 : Number(a.type > b.type)))
  const needed = new Map(byType.map(({ type, id }) => [JSON.stringify([type, id]), { type, id }]))
  const accounts = [...needed.values()].map((account) => ({
    ...account,
    uses: uses
      .filter(({ type, id }) => type === account.type && id === account.id)
      .map(({ flow, group, blockId, block }) => ({ flow, group, blockId, block })),
  }))
  return { accounts, credentials: credentialSkeleton(accounts) }
}
