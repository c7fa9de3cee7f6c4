import { type Budget, type Data, toNumber } from './data.ts'

/** A function of the language: pure, its cost bounded by what it is given and makes. */
export type Builtin<Self> = (self: Self, args: readonly Data[], budget: Budget) => Data

/** Arguments that are numbers, each possibly left out. */
export type Numbers = readonly (number | undefined)[]

/** An argument that is a number, or is left out. */
export function optionalNumber(data: Data, budget: Budget): number | undefined {
  return data === undefined ? undefined : toNumber(data, budget)
}

/** The first arguments as numbers. Nothing is asked of those that a function does not have. */
export function optionalNumbers(args: readonly Data[], count: number, budget: Budget): Numbers {
  return args.slice(0, count).map((arg) => optionalNumber(arg, budget))
}
