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

/** Whether blocks of a type are inputs, as `ask` knows them. */
export const isInputType = (type: string): boolean => type.endsWith(' input') || type === 'cards'

/** The name of an input after `as`. */
export const shortNameOf = (type: string): string => type.replace(/ input$/, '')

/** The keys under which items keep what visitors read, by their inputs. */
export const labelKeys: Readonly<Record<string, 'content' | 'title' | undefined>> = {
  'choice input': 'content',
  'picture choice input': 'title',
  cards: 'title',
}

/** A block as a step that is called by a word. */
interface ShortForm {
  readonly key: string
  /** The option that stands for itself as the value of that word. */
  readonly main?: string
  /** Words for the ways of its items. */
  readonly ways?: readonly string[]
}

const shortForms: Readonly<Record<string, ShortForm>> = {
  image: { key: 'image', main: 'url' },
  video: { key: 'video', main: 'url' },
  audio: { key: 'audio', main: 'url' },
  embed: { key: 'embed', main: 'url' },
  Jump: { key: 'jump', main: 'groupId' },
  Return: { key: 'return' },
  'Flow link': { key: 'link', main: 'flowId' },
  Wait: { key: 'wait', main: 'secondsToWaitFor' },
  Redirect: { key: 'redirect', main: 'url' },
  Code: { key: 'code', main: 'content' },
  Handoff: { key: 'handoff', main: 'who', ways: ['else'] },
  'AB test': { key: 'split', main: 'aPercent', ways: ['a', 'b'] },
  Email: { key: 'mail' },
}

/** The short form of a block; undefined for a type that has none. */
export const shortFormOf = (type: string): ShortForm | undefined =>
  Object.hasOwn(shortForms, type) ? shortForms[type] : undefined

/** Types by the words that stand for them in steps, besides themselves. */
export const typesByWord: ReadonlyMap<string, string> = new Map(
  Object.entries(shortForms).flatMap(([type, { key }]) => (key === type ? [] : [[key, type]])),
)

/** The option of an event that stands for itself as the value of its type. */
export const mainOptionsOfEvents: Readonly<Record<string, string | undefined>> = {
  command: 'command',
  idle: 'after',
}
