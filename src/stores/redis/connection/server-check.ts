import type { Redis } from 'ioredis'

const leastMajorVersion = 7

/** What is read of a server when the service starts. */
export interface ServerFacts {
  /** As people call it: `Redis 7.0.15`. */
  readonly name: string
  readonly isCluster: boolean
  /** What its operator should know. */
  readonly warnings: readonly string[]
}

/** Reads what kind of server it is. Rejects in words when it is too old. */
export async function checkServer(client: Pick<Redis, 'info'>): Promise<ServerFacts> {
  const facts = readInfo(await client.info())
  const isValkey = facts.has('valkey_version')
  const version = facts.get('valkey_version') ?? facts.get('redis_version') ?? ''
  const name = `${isValkey ? 'Valkey' : 'Redis'} ${version}`
  if (!(Number.parseInt(version, 10) >= leastMajorVersion))
    throw new Error(`${name} is too old: Redis ${leastMajorVersion} or Valkey is the least`)
  return { name, isCluster: facts.get('cluster_enabled') === '1', warnings: warningsOf(facts) }
}

function warningsOf(facts: ReadonlyMap<string, string>): string[] {
  const warnings: string[] = []
  const policy = facts.get('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction')
    warnings.push(
      `its maxmemory-policy is ${policy}, so that it drops conversations and leases when it is full: set it to noeviction`,
    )
  if (facts.get('aof_enabled') === '0')
    warnings.push('it loses what happened lately when it ends: set appendonly to yes')
  return warnings
}

/** `name:value` lines. */
function readInfo(text: string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) facts.set(line.slice(0, colon), line.slice(colon + 1))
  }
  return facts
}
