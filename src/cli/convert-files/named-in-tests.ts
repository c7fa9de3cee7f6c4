import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseYaml } from '../../adapters/yaml-reader/parse-yaml.ts'
import type { FlowSource } from '../input/flow-source.ts'
import { readNamedFile } from '../input/read-text-file.ts'

interface TestsFile {
  /** Path of the flow, or of what has its public id for a name. */
  readonly tested: string
  readonly names: ReadonlySet<string>
}

/** Names of parts in the files of tests beside flows, any of which may be an id; the files of a folder are read once. */
export class NamesInTests {
  readonly #files = new Map<string, Promise<readonly TestsFile[]>>()

  /** Throws for a file that can't be read. */
  async of({ path, publicId }: Pick<FlowSource, 'path' | 'publicId'>): Promise<ReadonlySet<string>> {
    const folder = resolve(dirname(path))
    const files = this.#files.get(folder) ?? readTests(folder)
    this.#files.set(folder, files)
    const paths = [resolve(path), resolve(folder, publicId)]
    return new Set((await files).flatMap(({ tested, names }) => (paths.includes(tested) ? [...names] : [])))
  }
}

async function readTests(folder: string): Promise<readonly TestsFile[]> {
  const files: TestsFile[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.flowtest.yaml')) continue
    const file = parseYaml(await readNamedFile(join(folder, name))).value
    const names = new Set<string>()
    collect(file, names)
    files.push({ tested: resolve(folder, String(Object(file).flow)), names })
  }
  return files
}

/** Keys under which a file of tests names parts of a flow. */
const naming = ['went', 'item', 'block']

/** Answers to try stand under the ids of blocks. */
const namingByKeys = 'says'

function collect(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (naming.includes(key)) for (const text of [part].flat()) names.add(String(text))
    if (key === namingByKeys) for (const name of Object.keys(Object(part))) names.add(name)
    collect(part, names)
  }
}
