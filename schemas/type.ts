import type { Type as TypeBox } from '@sinclair/typebox'

/** The builders that schemas here are written with. */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'Ref'
  | 'String'
  | 'Unknown'
  | 'Unsafe'
>

const optional = Symbol('optional')

type Schema = Readonly<Record<PropertyKey, unknown>>
type Properties = Readonly<Record<string, Schema>>

const create = (schema: Schema, options?: Schema) => ({ ...options, ...schema })
const typed = (type: string) => (options?: Schema) => create({ type }, options)
const markOptional = (schema: Schema) => ({ ...schema, [optional]: true })

function createObject(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((key) => !properties[key]?.[optional])
  return create({ type: 'object', ...(required.length > 0 && { required }), properties }, options)
}

function makePartial({ required: _required, properties, ...rest }: Schema, options?: Schema): Schema {
  const entries = Object.entries(properties as Properties)
  const loose = Object.fromEntries(entries.map(([key, schema]) => [key, markOptional(schema)]))
  return { ...createObject(loose, rest), ...options }
}

const builders = {
  Array: (items: Schema, options?: Schema) => create({ type: 'array', items }, options),
  Boolean: typed('boolean'),
  Integer: typed('integer'),
  Literal: (value: unknown, options?: Schema) => create({ const: value, type: typeof value }, options),
  Null: typed('null'),
  Number: typed('number'),
  Object: createObject,
  Optional: markOptional,
  Partial: makePartial,
  Record: (_key: Schema, value: Schema, options?: Schema) =>
    create({ type: 'object', patternProperties: { '^(.*)$': value } }, options),
  Ref: ($ref: string, options?: Schema) => create({ $ref }, options),
  String: typed('string'),
  Unknown: (options?: Schema) => create({}, options),
  Unsafe: (options?: Schema) => create({}, options),
} satisfies Record<keyof Builders, (...parts: never[]) => Schema>

/**
 * Builds what TypeBox builds, with its types, from a few lines: its 250 modules take a tenth of the time in which the
 * service is ready. `Record` takes texts as keys, and `Ref` a name.
 */
export const Type = builders as unknown as Builders
