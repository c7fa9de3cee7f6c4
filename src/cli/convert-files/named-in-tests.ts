import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseYaml } from '../../adapters/yaml-reader/parse-yaml.ts'
import type { FlowSource } from '../input/flow-source.ts'
import { readNamedFile } from '../input/read-text-file.ts'

/** Names of parts in the files of tests beside a flow, any of which may be an id. Throws for a file that can't be read. */
export async function namesInTests({
  path,
  publicId,
}: Pick<FlowSource, 'path' | 'publicId'>): Promise<ReadonlySet<string>> {
  const folder = dirname(path)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.flowtest.yaml'))
  const texts = new Set<string>()
  for (const name of names) {
    const file = parseYaml(await readNamedFile(join(folder, name))).value
    const tested = resolve(folder, String(Object(file).flow))
    if (tested === resolve(path) || tested === resolve(folder, publicId)) collect(file, texts)
  }
  return texts
}

/** Keys under which a file of tests names parts of a flow. */
const naming = ['went', 'item', 'block']

/** Answers to try stand under the ids of blocks. */
const namingByKeys = 'says'

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (naming.includes(key)) for (const text of [part].flat()) texts.add(String(text))
    if (key === namingByKeys) for (const name of Object.keys(Object(part))) texts.add(name)
    collect(part, texts)
  }
}
