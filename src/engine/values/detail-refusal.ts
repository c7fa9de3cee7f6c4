const remedies: ReadonlyMap<number, string> = new Map([
  [400, 'Correct the options of the block, or the account, by what the service says:'],
  [401, 'Renew the key of the account, which the service does not accept:'],
  [402, 'Give the account credit at the service:'],
  [403, 'Give the account the right to do this, or access to what the block names:'],
  [404, 'Correct the ids and names in the options of the block, which the service does not find:'],
  [408, 'Try again later:'],
  [409, 'Try again later:'],
  [413, 'Send less:'],
  [422, 'Correct the options of the block by what the service says:'],
  [429, 'Ask less often, or raise the limits of the account at the service:'],
])

/**
 * The details of a log about a call that a service refused: what its author can do, and what the service said. Services
 * that are called with an account share the meaning of a status, and not the words.
 */
export function detailRefusal(status: number, said: string): string {
  const remedy = remedies.get(status) ?? (status >= 500 ? 'Try again later: the service failed.' : undefined)
  return [remedy, said].filter((line) => line !== undefined && line !== '').join('\n')
}
