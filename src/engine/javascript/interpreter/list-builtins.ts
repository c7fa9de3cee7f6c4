import { NeedsSandboxError } from '../outcome.ts'
import {
  type Budget,
  charge,
  chargeNumberReading,
  type Data,
  isList,
  joined,
  Opaque,
  toNumber,
  toText,
  weigh,
  weight,
} from './data.ts'
import { type Builtin, optionalNumber, optionalNumbers } from './string-builtins.ts'

function ofList(
  method: (list: readonly Data[], args: readonly Data[], budget: Budget) => Data,
): Builtin<readonly Data[]> {
  return (list, args, budget) => {
    charge(budget, weight.visit * list.length)
    return method(list, args, budget)
  }
}

/** A method that looks for a value in a list, from a place. */
function bySearch(
  method: (list: readonly Data[], wanted: Data, from: number | undefined) => Data,
): Builtin<readonly Data[]> {
  return ofList((list, [wanted, from], budget) => {
    // Every element may be a text that differs from the wanted one only at its end.
    if (typeof wanted === 'string') charge(budget, (list.length * wanted.length) / 16)
    return method(list, wanted, optionalNumber(from, budget))
  })
}

/** Methods of lists that leave the list as it is. */
export const listMethods: ReadonlyMap<string, Builtin<readonly Data[]>> = new Map(
  Object.entries<Builtin<readonly Data[]>>({
    at: ofList((list, [at], budget) => list.at(toNumber(at, budget))),
    concat: ofList((list, args, budget) => {
      for (const arg of args) if (isList(arg)) charge(budget, weight.visit * arg.length)
      return list.concat(...(args as Data[][]))
    }),
    includes: bySearch((list, wanted, from) => list.includes(wanted, from)),
    indexOf: bySearch((list, wanted, from) => list.indexOf(wanted, from)),
    join: ofList((list, [separator], budget) =>
      joined(list, separator === undefined ? ',' : toText(separator, budget), budget),
    ),
    slice: ofList((list, args, budget) => {
      const [from, to] = optionalNumbers(args, 2, budget)
      return list.slice(from, to)
    }),
    toString: ofList((list, _args, budget) => joined(list, ',', budget)),
  }),
)

/** Cost of writing a number, and one with a thousand digits in another base than ten. */
const writing = { digits: 64, fraction: 8192 }

const toFixed: Builtin<number> = (number, [digits], budget) => {
  charge(budget, writing.digits)
  return number.toFixed(optionalNumber(digits, budget))
}

const numberToString: Builtin<number> = (number, [radix], budget) => {
  const base = optionalNumber(radix, budget) ?? 10
  charge(budget, base === 10 || Number.isSafeInteger(number) ? writing.digits : writing.fraction)
  return number.toString(base)
}

/** Methods of numbers. */
export const numberMethods: ReadonlyMap<string, Builtin<number>> = new Map([
  ['toFixed', toFixed],
  ['toString', numberToString],
])

/** Functions on whose last digit all engines agree. */
const mathNames = ['abs', 'ceil', 'floor', 'max', 'min', 'pow', 'round', 'sign', 'sqrt', 'trunc'] as const

const math = mathNames.map((name): [string, Builtin<unknown>] => {
  const compute: (...numbers: number[]) => number = Math[name]
  const most = name === 'max' || name === 'min' ? undefined : compute.length
  return [
    `Math.${name}`,
    (_self, args, budget) => compute(...args.slice(0, most).map((arg) => toNumber(arg, budget))),
  ]
})

/** Functions that code finds by name, those of objects under both names. */
export const namedFunctions: ReadonlyMap<string, Builtin<unknown>> = new Map<string, Builtin<unknown>>([
  ...math,
  ['Array.isArray', (_self, [data]) => isList(data)],
  ['Boolean', (_self, [data]) => Boolean(data)],
  ['JSON.stringify', (_self, args, budget) => stringify(args, budget)],
  ['Number', (_self, args, budget) => (args.length === 0 ? 0 : toNumber(args[0], budget))],
  ['Number.isFinite', (_self, [data]) => Number.isFinite(data)],
  ['Number.isInteger', (_self, [data]) => Number.isInteger(data)],
  ['Number.isNaN', (_self, [data]) => Number.isNaN(data)],
  ['String', (_self, args, budget) => (args.length === 0 ? '' : toText(args[0], budget))],
  ['isFinite', (_self, [data], budget) => Number.isFinite(toNumber(data, budget))],
  ['isNaN', (_self, [data], budget) => Number.isNaN(toNumber(data, budget))],
  ...['', 'Number.'].flatMap((prefix): [string, Builtin<unknown>][] => [
    [`${prefix}parseFloat`, (_self, [data], budget) => Number.parseFloat(numeral(data, budget))],
    [
      `${prefix}parseInt`,
      (_self, [data, radix], budget) => Number.parseInt(numeral(data, budget), optionalNumber(radix, budget)),
    ],
  ]),
])

/** A text that is read as a number, digit by digit. */
function numeral(data: Data, budget: Budget): string {
  const text = toText(data, budget)
  chargeNumberReading(budget, text)
  return text
}

/** Only the plain form: what replaces or indents is left to the sandbox. */
function stringify([data, ...layout]: readonly Data[], budget: Budget): Data {
  if (layout.length > 0 || data instanceof Opaque) throw new NeedsSandboxError('JSON.stringify')
  weigh(data, budget)
  const text = JSON.stringify(data)
  // Marks around texts and in them, commas and brackets.
  charge(budget, text?.length ?? 0)
  return text
}
