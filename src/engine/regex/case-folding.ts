/** The character that stands for all that differ in case only, for each that is not that character itself. */
export type CaseTable = ReadonlyMap<number, number>

/** The planes of Unicode that have letters with a case, the surrogates left out. */
const planes = [
  { first: 0, last: 0xd7ff },
  { first: 0xe000, last: 0xffff },
  { first: 0x1_0000, last: 0x1_ffff },
]

const hasCase = /\p{Changes_When_Casemapped}/u

/** Two characters are the same but for their case where the host says so: it does as the standard wants it. */
const areSame = { unicode: /^(.)\1$/iu, units: /^(.)\1$/i }

const tables: { unicode?: CaseTable; units?: CaseTable } = {}

/**
 * Characters that are equal under the flag `i`, which depends on the flag `u`: with it the Kelvin sign is a `k`,
 * without it it is not. Computed at first use, within some 20 ms.
 */
export function caseTableOf(isUnicode: boolean): CaseTable {
  const mode = isUnicode ? 'unicode' : 'units'
  tables[mode] ??= createCaseTable(planes.slice(0, isUnicode ? 3 : 2), areSame[mode])
  return tables[mode]
}

function createCaseTable(searched: typeof planes, same: RegExp): CaseTable {
  const table = new Map<number, number>()
  const standIns = new Map<string, string>()
  for (const { first, last } of searched) {
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code)
      if (!hasCase.test(letter)) continue
      const upper = letter.toLowerCase().toUpperCase()
      // Some letters become several in upper case: the first of those that become the same stands for them.
      if (!standIns.has(upper)) standIns.set(upper, [...upper].length === 1 ? upper : letter)
      const standIn = standIns.get(upper) ?? letter
      if (standIn !== letter && same.test(standIn + letter)) table.set(code, standIn.codePointAt(0) ?? code)
    }
  }
  return table
}
