import { resolve } from 'node:path'
import { readAccessTokens } from './admin-tokens.ts'
import type { Environment } from './environment-schema.ts'

/** Names variables that are valid by themselves, and cannot be set together. */
export function contradictionsIn(env: Environment): string[] {
  const { UPLOAD_MAX_BYTES: ofOne, UPLOADS_MAX_BYTES: ofAll, DATA_DIR: data } = env
  const problems: string[] = []
  if (ofOne > ofAll)
    problems.push(`UPLOADS_MAX_BYTES must be at least UPLOAD_MAX_BYTES, which is ${ofOne}; it is ${ofAll}`)
  problems.push(...contradictionsOfBucket(env))
  const { mcp } = readAccessTokens(env, problems)
  problems.push(...contradictionsOfDatabase(env, mcp.length > 0))
  for (const name of ['FLOWS_DIR', 'UPLOADS_DIR'] as const) {
    const folder = env[name]
    if (data === undefined || folder === undefined || resolve(data) !== resolve(folder)) continue
    problems.push(`DATA_DIR must be a folder of its own; it is that of ${name}, ${JSON.stringify(folder)}`)
  }
  return problems
}

/** The largest file that a server takes in one request. */
const mostBytesInBucket = 5 * 1024 ** 3

function contradictionsOfBucket(env: Environment): string[] {
  const { UPLOADS_S3_URL: url, UPLOADS_S3_KEY: key } = env
  if (url === undefined)
    return key === undefined
      ? []
      : ['UPLOADS_S3_KEY is set without UPLOADS_S3_URL: set that too, or leave it out']
  const problems: string[] = []
  if (key === undefined) problems.push('UPLOADS_S3_KEY must be set where UPLOADS_S3_URL is')
  if (env.UPLOADS_DIR !== undefined)
    problems.push(
      'UPLOADS_DIR and UPLOADS_S3_URL cannot be set together: files go to the one or to the other. Leave one of them out',
    )
  if (env.UPLOAD_MAX_BYTES > mostBytesInBucket)
    problems.push(`UPLOAD_MAX_BYTES must be at most ${mostBytesInBucket} where UPLOADS_S3_URL is set`)
  return problems
}

function contradictionsOfDatabase(env: Environment, areAssistantsServed: boolean): string[] {
  if (env.DATABASE_URL === undefined) return []
  const problems: string[] = []
  if (!URL.canParse(env.DATABASE_URL))
    problems.push('DATABASE_URL must be an address such as postgres://user:password@host:5432/name')
  if (env.DATA_DIR !== undefined)
    problems.push(
      'DATA_DIR and DATABASE_URL cannot be set together: the one keeps everything on this machine, the other in a database. Leave one of them out',
    )
  const kept = (['UPLOADS_DIR', 'UPLOADS_S3_URL'] as const).find((name) => env[name] !== undefined)
  if (kept !== undefined && env.UPLOAD_SECRET === undefined)
    problems.push(
      `UPLOAD_SECRET must be set where DATABASE_URL and ${kept} are: the other processes have to know what one has signed`,
    )
  else if (areAssistantsServed && env.UPLOAD_SECRET === undefined)
    problems.push(
      'UPLOAD_SECRET must be set where DATABASE_URL is and a token for assistants: the other processes have to open what one has sealed',
    )
  return problems
}
