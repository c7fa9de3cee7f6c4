import { type Builtin, type Numbers, optionalNumber, optionalNumbers } from './builtin.ts'
import { type Budget, charge, chargeWork, type Data, toNumber, toText } from './data.ts'

/** A method of texts with so many arguments that are numbers, each possibly left out. */
function byNumbers(count: number, method: (text: string, numbers: Numbers) => Data): Builtin<string> {
  return (text, args, budget) => {
    charge(budget, text.length / 16)
    return method(text, optionalNumbers(args, count, budget))
  }
}

/** A method that looks for a text in a text, from a place. */
function bySearch(method: (text: string, wanted: string, at: number | undefined) => Data): Builtin<string> {
  return (text, [wanted, at], budget) => {
    const pattern = toText(wanted, budget)
    // A search may compare every character with every other.
    chargeWork(budget, text.length / 16 + (text.length * pattern.length) / 64)
    return method(text, pattern, optionalNumber(at, budget))
  }
}

/** A method that looks for a text at one place of a text. */
function byComparison(
  method: (text: string, wanted: string, at: number | undefined) => boolean,
): Builtin<string> {
  return (text, [wanted, at], budget) => {
    const part = toText(wanted, budget)
    chargeWork(budget, (text.length + part.length) / 16)
    return method(text, part, optionalNumber(at, budget))
  }
}

/** A method that makes one text out of another. */
function byText(method: (text: string) => Data): Builtin<string> {
  return (text, _args, budget) => {
    charge(budget, text.length)
    return method(text)
  }
}

function byPadding(method: (text: string, length: number, filler: string) => string): Builtin<string> {
  return (text, [length, filler], budget) => {
    const wanted = toNumber(length, budget)
    const added = filler === undefined ? ' ' : toText(filler, budget)
    // With nothing to fill in, the text stays as it is, whatever its length is to be.
    if (added === '') return text
    charge(budget, Math.max(wanted, text.length / 16))
    return method(text, wanted, added)
  }
}

function split(text: string, [separator, limit]: readonly Data[], budget: Budget): Data {
  chargeWork(budget, text.length)
  const most = optionalNumber(limit, budget)
  if (separator === undefined) return text.split(undefined as unknown as string, most)
  const between = toText(separator, budget)
  // Without a separator, every character becomes an element.
  chargeWork(budget, between === '' ? 4 * text.length : (text.length * between.length) / 64)
  return text.split(between, most)
}

/** Methods of texts. */
export const textMethods: ReadonlyMap<string, Builtin<string>> = new Map<string, Builtin<string>>([
  ['at', byNumbers(1, (text, [at]) => text.at(at ?? 0))],
  ['charAt', byNumbers(1, (text, [at]) => text.charAt(at ?? 0))],
  ['charCodeAt', byNumbers(1, (text, [at]) => text.charCodeAt(at ?? 0))],
  ['codePointAt', byNumbers(1, (text, [at]) => text.codePointAt(at ?? 0))],
  [
    'concat',
    (text, args, budget) => [text, ...args].reduce<string>((all, arg) => append(all, arg, budget), ''),
  ],
  ['endsWith', byComparison((text, wanted, at) => text.endsWith(wanted, at))],
  ['includes', bySearch((text, wanted, at) => text.includes(wanted, at))],
  ['indexOf', bySearch((text, wanted, at) => text.indexOf(wanted, at))],
  ['lastIndexOf', bySearch((text, wanted, at) => text.lastIndexOf(wanted, at))],
  ['padEnd', byPadding((text, length, filler) => text.padEnd(length, filler))],
  ['padStart', byPadding((text, length, filler) => text.padStart(length, filler))],
  [
    'repeat',
    (text, [count], budget) => {
      const times = toNumber(count, budget)
      charge(budget, text.length * times)
      return text.repeat(times)
    },
  ],
  ['slice', byNumbers(2, (text, [from, to]) => text.slice(from, to))],
  ['split', split],
  ['startsWith', byComparison((text, wanted, at) => text.startsWith(wanted, at))],
  ['substring', byNumbers(2, (text, [from, to]) => text.substring(from ?? 0, to))],
  ['toLowerCase', byText((text) => text.toLowerCase())],
  ['toString', byText((text) => text)],
  ['toUpperCase', byText((text) => text.toUpperCase())],
  ['trim', byText((text) => text.trim())],
  ['trimEnd', byText((text) => text.trimEnd())],
  ['trimStart', byText((text) => text.trimStart())],
])

function append(text: string, data: Data, budget: Budget): string {
  const added = toText(data, budget)
  charge(budget, text.length + added.length)
  return text + added
}
