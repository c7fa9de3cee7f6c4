import { blockSchemas } from '../../../schemas/blocks/index.ts'
import { tagsOf } from '../../../schemas/tagged-union.ts'
import { type Shape, shapeAt } from './values.ts'

const shapes = new Map<string, Shape>(
  blockSchemas.flatMap((schema) => tagsOf(schema).map((type) => [type, schema as unknown as Shape] as const)),
)

/** The types of the blocks that the service knows. */
export const knownTypes: readonly string[] = [...shapes.keys()]

/** The shape of a block; undefined for a type that is not known. */
export const shapeOf = (type: string): Shape | undefined => shapes.get(type)

/** The key under which a block keeps what is said beside its type. */
export const holderOf = (type: string): 'content' | 'options' =>
  shapeAt(shapeOf(type), 'content') ? 'content' : 'options'

/** The shape of its options, or of its content. */
export const optionsShapeOf = (type: string): Shape | undefined => shapeAt(shapeOf(type), holderOf(type))

/** The shape of one of its items. */
export const itemShapeOf = (type: string): Shape | undefined => shapeAt(shapeOf(type), 'items')?.items

/** The option that stands for itself as the value of the type. */
export const mainOptions: Readonly<Record<string, string>> = {
  image: 'url',
  video: 'url',
  audio: 'url',
  embed: 'url',
  Wait: 'secondsToWaitFor',
  Redirect: 'url',
  Code: 'content',
  Jump: 'groupId',
  'Flow link': 'flowId',
  Handoff: 'who',
  'AB test': 'aPercent',
}
