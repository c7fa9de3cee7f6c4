import { expect } from 'vitest'
import type { Flow } from '../../schemas/flow.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { compileYamlFlow } from '../../src/definition/yaml-form/compile-yaml-flow.ts'
import { writeYaml } from '../../src/tooling/write-yaml/write-yaml.ts'
import type { WriteOptions } from '../../src/tooling/write-yaml/writing.ts'
import type { Json } from './json.ts'

/** The definition that comes of a flow by way of YAML; writing that anew gives the same text. */
export function byYaml(flow: Flow, options: WriteOptions = {}): Json {
  const text = writeYaml(flow, options)
  const compiled = compileYamlFlow(text)
  expect(compiled.problems, text).toEqual([])
  expect(writeYaml(readDefinition(compiled.definition), options)).toBe(text)
  return compiled.definition as Json
}
