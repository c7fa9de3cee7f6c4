import type { CredentialScope, Credentials } from '../../ports/credentials-port.ts'
import { neighbourOf } from '../../tooling/lint/model/surroundings/neighbours.ts'
import type { NeighbourFlow, Surroundings } from '../../tooling/lint/model/surroundings/surroundings.ts'
import type { FlowFile } from './flow-file.ts'

/** What is known beside the files. */
export interface SurroundingTerms {
  readonly accounts: Credentials | undefined
  readonly channels?: readonly string[]
  readonly served?: readonly FlowFile[]
}

/** What a file knows of those that are checked with it, of the accounts of the operator, of what is published, and of where it is to run. */
export function surroundingsOf(
  file: FlowFile,
  files: readonly FlowFile[],
  { accounts, channels, served = [] }: SurroundingTerms,
): Surroundings {
  const flow = file.read?.flow
  const borrower: CredentialScope = { flowId: flow?.id, workspaceId: flow?.workspaceId, kind: 'live' }
  const others = files.filter((other) => other !== file)
  return {
    channels,
    served: served.find(({ read }) => read && read.flow.id === flow?.id)?.read,
    // Links of a file that is looked at alone may lead anywhere.
    findFlow: files.length > 1 ? (name) => findIn(files, name) : undefined,
    publishedAs: (publicId) => others.filter((other) => other.publicId === publicId).map(({ path }) => path),
    hasAccount:
      accounts &&
      ((type, id) =>
        (type === 'smtp'
          ? accounts.mailAccount(id, borrower)
          : (accounts.model(id, type, borrower) ?? accounts.vendor(id, type, borrower))) !== undefined),
  }
}

function findIn(files: readonly FlowFile[], name: string): NeighbourFlow | undefined {
  const found =
    files.find(({ read }) => read?.flow.id === name) ??
    files.find((file) => file.read && file.publicId === name)
  if (!found?.read) return undefined
  const { flow, program } = found.read
  return neighbourOf({
    flow,
    program,
    publicId: found.publicId,
    isClosed: flow.isClosed === true,
    isArchived: flow.isArchived === true,
  })
}
