/** The names of a flow: in words, and in the address of its page. */
interface NamedFlow {
  readonly id?: unknown
  readonly name?: unknown
  readonly publicId?: unknown
}

/** The longest address that is made of a name. */
const mostCharacters = 60

/**
 * The public id of each flow: its own, else its name as an address, with a number where another flow has that, else its id.
 * Those of their own are never given to others.
 */
export function addressesOf(flows: readonly NamedFlow[]): readonly string[] {
  const own = flows.map(({ publicId }) => (typeof publicId === 'string' ? publicId : ''))
  const taken = new Set(own)
  return flows.map((flow, index) => {
    if (own[index]) return own[index]
    const wanted = addressOfName(flow.name) || String(flow.id)
    let address = wanted
    for (let count = 2; taken.has(address); count++) address = `${wanted}-${count}`
    taken.add(address)
    return address
  })
}

/** "Café – Köln" as `cafe-koln`; empty for a name without letters of such an address. */
function addressOfName(name: unknown): string {
  if (typeof name !== 'string') return ''
  const words = name
    .slice(0, mostCharacters)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? []).join('-')
}
