import type { PlacedBlock } from './placed-block.ts'

/** Name of the account of the operator that a block calls with. */
interface AccountName {
  readonly type: string
  /** That of the type where the block names none. */
  readonly id: string
  readonly isNamed: boolean
}

/** The account of a block that is set up; undefined for one that makes no calls, or needs no account. */
export function accountOf({ block, marks }: PlacedBlock): AccountName | undefined {
  const options = ('options' in block ? block.options : undefined) as { credentialsId?: unknown } | undefined
  const type = marks.account?.(block)
  if (!options || type === undefined) return undefined
  const { credentialsId } = options
  if (typeof credentialsId === 'string' && credentialsId !== '')
    return { type, id: credentialsId, isNamed: true }
  if (!marks.calls) return undefined
  return { type, id: marks.mails && type === 'smtp' ? 'default' : `default-${type}`, isNamed: false }
}
