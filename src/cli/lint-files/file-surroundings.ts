import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readCredentials } from '../../config/credentials/credentials.ts'
import { ConfigError } from '../../lib/config-error.ts'
import type { CredentialScope, Credentials } from '../../ports/credentials-port.ts'
import { neighbourOf } from '../../tooling/lint/model/neighbours.ts'
import type { NeighbourFlow, Surroundings } from '../../tooling/lint/model/surroundings.ts'
import { type Console, UsageError } from '../command.ts'
import type { RunnableSource } from '../input/flow-source.ts'

/** Facts known beside the files. */
interface SurroundingTerms {
  readonly accounts: Credentials | undefined
  readonly channels?: readonly string[]
  readonly served?: readonly RunnableSource[]
}

/** Surroundings of a file: the other files, the operator's accounts, the published flows, and the channel. */
export function surroundingsOf(
  file: RunnableSource,
  files: readonly RunnableSource[],
  { accounts, channels, served = [] }: SurroundingTerms,
): Surroundings {
  const flow = file.read?.flow
  const scope: CredentialScope = { flowId: flow?.id, workspaceId: flow?.workspaceId, kind: 'live' }
  const others = files.filter((other) => other !== file)
  return {
    channels,
    served: served.find(({ read }) => read && read.flow.id === flow?.id)?.read,
    // Links of a file that is looked at alone may lead anywhere.
    findFlow: files.length > 1 ? (name) => findIn(files, name) : undefined,
    publicId: file.publicId,
    publishedAs: (publicId) =>
      others
        .filter((other) => other.publicId === publicId)
        // Two folders with files of one name are seldom served as one.
        .filter((other) => flow?.publicId || dirname(other.path) === dirname(file.path))
        .map(({ path }) => path),
    hasAccount:
      accounts &&
      ((type, id) =>
        (type === 'smtp'
          ? accounts.mailAccount(id, scope)
          : (accounts.model(id, type, scope) ?? accounts.vendor(id, type, scope))) !== undefined),
  }
}

function findIn(files: readonly RunnableSource[], name: string): NeighbourFlow | undefined {
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

/** Reads the file of accounts; undefined where none is named. Throws a UsageError for one that can't be used. */
export async function readAccounts(
  file: string | undefined,
  env: Console['env'],
): Promise<Credentials | undefined> {
  if (file === undefined) return undefined
  try {
    return readCredentials(await readFile(file, 'utf8'), env).credentials
  } catch (error) {
    const isAboutFile = error instanceof ConfigError || (error instanceof Error && 'code' in error)
    if (!isAboutFile) throw error
    throw new UsageError(`--credentials ${file}: ${error.message}`)
  }
}
