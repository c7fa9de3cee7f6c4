import type { StringOptions, TSchema } from '@sinclair/typebox'
import { ConfigError } from '../lib/config-error.ts'
import { type Config, toConfig } from './config.ts'
import { contradictionsIn } from './contradictions.ts'
import { describeExpectation, Environment, isSecret } from './environment-schema.ts'
import { removedSettings } from './removed-settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Leaves out variables that are set to nothing, as templates of deployments leave them. Tokens, keys and secrets stay, and
 * are a mistake: without its token an operation may be open to everybody.
 */
export function withoutEmpty(variables: Variables): Variables {
  const isLeftOut = (name: string) =>
    Object.hasOwn(Environment.properties, name) && !/_(?:TOKENS?|KEY|SECRET)$/.test(name)
  return Object.fromEntries(
    Object.entries(variables).filter(([name, text]) => text !== '' || !isLeftOut(name)),
  )
}

/** Reads the configuration from environment variables. */
export function readConfig(given: Variables): Config {
  const variables = withoutEmpty(given)
  const env: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, instead] of removedSettings) if (variables[name]) problems.push(instead)
  for (const [name, schema] of Object.entries<TSchema>(Environment.properties)) {
    const text = Object.hasOwn(variables, name) ? variables[name] : undefined
    const value = text === undefined ? schema['default'] : parse(text, schema)
    if (value !== undefined && !isValid(value, schema)) problems.push(complaint(name, schema, String(text)))
    env[name] = value
  }
  if (problems.length === 0) problems.push(...contradictionsIn(env as Environment))
  if (problems.length > 0) throw new ConfigError(problems)
  return toConfig(env as Environment)
}

/** Looks at what schemas of variables ask for, which is less than a validator of JSON knows. */
function isValid(value: unknown, schema: TSchema): boolean {
  if (schema['type'] === 'integer')
    return Number.isInteger(value) && Number(value) >= schema['minimum'] && Number(value) <= schema['maximum']
  const text = String(value)
  const { minLength = 0, pattern = '', enum: words } = schema as StringOptions & { enum?: string[] }
  // A pattern does not see every mistake in an address, such as a port that is none.
  const isAddressIfMeant = !pattern.startsWith('^http') || URL.canParse(text)
  return (
    text.length >= minLength &&
    new RegExp(pattern).test(text) &&
    (words?.includes(text) ?? true) &&
    isAddressIfMeant
  )
}

/** Reads decimal digits alone as a number: neither `1e3` nor ` 7 ` is what anybody means to configure. */
function parse(text: string, schema: TSchema): unknown {
  return schema['type'] === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
}

function complaint(name: string, schema: TSchema, text: string): string {
  const sentence = `${name} must be ${describeExpectation(schema)}`
  return isSecret(schema) ? sentence : `${sentence}; it is ${JSON.stringify(text)}`
}
