import { escapeToken } from '../../lib/json-pointer.ts'
import type { ShapeProblem } from './credential-schemas.ts'
import type { EnvironmentVariables } from './environment-accounts.ts'

interface InsertedValue {
  readonly value: unknown
  readonly problems: readonly ShapeProblem[]
}

const marker = '$env:'

/** Puts environment variables where a value names one as `$env:NAME`, so that a file need hold no secret. */
export function insertEnvironmentReferences(
  value: unknown,
  env: EnvironmentVariables,
  at = '',
): InsertedValue {
  if (typeof value === 'string')
    return value.startsWith(marker) ? insert(value, env, at) : { value, problems: [] }
  if (typeof value !== 'object' || value === null) return { value, problems: [] }
  const parts = Object.entries(value).map(([key, part]) => ({
    key,
    ...insertEnvironmentReferences(part, env, `${at}/${escapeToken(key)}`),
  }))
  const problems = parts.flatMap((part) => part.problems)
  if (Array.isArray(value)) return { value: parts.map((part) => part.value), problems }
  return { value: Object.fromEntries(parts.map((part) => [part.key, part.value])), problems }
}

/** The name is not repeated: who has confused it with the secret would find that in the log. */
function insert(value: string, env: EnvironmentVariables, at: string): InsertedValue {
  const name = value.slice(marker.length)
  const found = Object.hasOwn(env, name) ? env[name] : undefined
  if (found !== undefined && found !== '') return { value: found, problems: [] }
  return { value, problems: [{ at, complaint: 'names an environment variable that is not set' }] }
}
