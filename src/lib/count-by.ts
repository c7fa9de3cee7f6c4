/** How many of some things have each name. */
export function countBy<Thing>(
  things: Iterable<Thing>,
  nameOf: (thing: Thing) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const thing of things) counts.set(nameOf(thing), (counts.get(nameOf(thing)) ?? 0) + 1)
  return counts
}
