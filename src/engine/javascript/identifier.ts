/** Legal identifiers that collide with no other name in a script. A leading `$` is left to aliases. */
const legal = /^[\p{ID_Start}_][\p{ID_Continue}$\u200c\u200d]*$/u

/** Words that can't be the parameter of an async function, or that scripts need for themselves. */
const taken = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield Infinity NaN undefined'
  ).split(' '),
)

const illegal = /\W/g

/**
 * The name that a variable has in code: its id, or where that is no identifier an alias of it. Different ids never
 * share a name.
 */
export function toIdentifier(variableId: string): string {
  if (legal.test(variableId) && !taken.has(variableId)) return variableId
  return `$${variableId.replace(illegal, (unit) => `$${unit.charCodeAt(0).toString(16)}$`)}`
}
