import { type Budget, charge, type Data, toNumber, toText, weight } from './data.ts'

/** A function of the language: pure, its cost bounded by what it is given and makes. */
export type Builtin<Self> = (self: Self, args: readonly Data[], budget: Budget) => Data

/** Arguments that are numbers, each possibly left out. */
type Numbers = readonly (number | undefined)[]

/** An argument that is a number, or is left out. */
export function optionalNumber(data: Data, budget: Budget): number | undefined {
  return data === undefined ? undefined : toNumber(data, budget)
}

/** The first arguments as numbers. Nothing is asked of those that a function does not have. */
export function optionalNumbers(args: readonly Data[], count: number, budget: Budget): Numbers {
  return args.slice(0, count).map((arg) => optionalNumber(arg, budget))
}

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
    chargeSearch(text, pattern, budget)
    return method(text, pattern, optionalNumber(at, budget))
  }
}

/** A search may compare every character with every other. */
function chargeSearch(text: string, pattern: string, budget: Budget): void {
  charge(budget, text.length / 16 + (text.length * pattern.length) / 8)
}

/** A method that looks for a text at one place of a text. */
function byComparison(
  method: (text: string, wanted: string, at: number | undefined) => boolean,
): Builtin<string> {
  return (text, [wanted, at], budget) => {
    const part = toText(wanted, budget)
    charge(budget, (text.length + part.length) / 16)
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

function split(text: string, [separator, limit]: readonly Data[], budget: Budget): Data {
  const most = optionalNumber(limit, budget)
  if (separator === undefined) return text.split(undefined as unknown as string, most)
  const between = toText(separator, budget)
  chargeSearch(text, between, budget)
  // As if there was nothing but separators in it; without one, every character becomes an element.
  charge(budget, (weight.visit * text.length) / Math.max(1, between.length))
  return text.split(between, most)
}

/** Methods of texts: what each does is as much as it is given, at most. */
export const textMethods: ReadonlyMap<string, Builtin<string>> = new Map<string, Builtin<string>>([
  ['at', byNumbers(1, (text, [at]) => text.at(at ?? 0))],
  ['charAt', byNumbers(1, (text, [at]) => text.charAt(at ?? 0))],
  ['endsWith', byComparison((text, wanted, at) => text.endsWith(wanted, at))],
  ['includes', bySearch((text, wanted, at) => text.includes(wanted, at))],
  ['indexOf', bySearch((text, wanted, at) => text.indexOf(wanted, at))],
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
