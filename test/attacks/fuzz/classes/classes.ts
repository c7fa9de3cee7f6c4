import fc from 'fast-check'
import type { Tried } from '../play.ts'
import { addresses } from './addresses.ts'
import type { AttackClass } from './attack-class.ts'
import { connections } from './connections.ts'
import { jsonShapes } from './json-shapes.ts'
import { marksClass } from './marks.ts'
import { nestedCode } from './nested-code.ts'
import { patterns } from './patterns.ts'
import { saidCode } from './said-code.ts'

/** What has once stopped a service, or has let something through. */
const classes = {
  marks: marksClass,
  json: jsonShapes,
  'nested code': nestedCode,
  patterns,
  addresses,
  'said code': saidCode,
  connections,
}

export type ClassName = keyof typeof classes

/** An attack of one class, by its parameters. */
export interface ClassAttack {
  readonly kind: ClassName
  readonly parameters: unknown
}

export const classNames = Object.keys(classes) as ClassName[]

const classOf = (name: ClassName) => classes[name] as unknown as AttackClass<unknown>

export const attackOf = (kind: ClassName): fc.Arbitrary<ClassAttack> =>
  fc.record({ kind: fc.constant(kind), parameters: classOf(kind).parameters })

/** Does it. Throws a `Complaint`. */
export function playClass({ kind, parameters }: ClassAttack, tried: Tried): Promise<void> {
  return classOf(kind).play(parameters, tried)
}
