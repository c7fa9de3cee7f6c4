import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'

/** The parts of an OpenAPI document that a client is made from. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

/** What one method of one path takes and returns. */
export interface DescribedOperation {
  readonly operationId?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: object
  }[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<Record<string, DescribedResponse>>
}

/** What one status comes with. */
export interface DescribedResponse {
  readonly content?: Content
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>
}

type Content = Readonly<Record<string, { readonly schema?: object }>>

/** Tells what is wrong, and throws. */
export type Fail = (what: string) => never

/** Fails, naming the place, when a value is not as a schema of the document says. */
export type Check = (value: unknown, schema: object, fail: Fail) => void

/** The document with references that lead home from wherever a schema is compiled. */
export function readDocument(document: Description): { paths: Description['paths']; check: Check } {
  const home = JSON.parse(JSON.stringify(document), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#/, 'openapi#') : value,
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ ...home, $id: 'openapi' })
  return {
    paths: home.paths,
    check(value, schema, fail) {
      const validate = ajv.compile(schema)
      if (!validate(value)) fail((validate.errors ?? []).map(tell).join('; '))
    },
  }
}

function tell({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '(whole)'} ${message} ${JSON.stringify(params)}`
}

/** Whether a content type holds JSON. */
export const isJson = (type: string) => /[/+]json$/.test(type)
