import { readdir } from 'node:fs/promises'
import { register } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TSchema } from '@sinclair/typebox'
import { blockRegistry } from '../blocks/index.ts'
import { createLazyValidator } from '../definition/lazy-validator.ts'
import { toProblems } from '../definition/problems.ts'
import type { AnyBlock, BlockHandler, BlockRegistry } from '../engine/model/block-handler.ts'
import { ExplainedError } from '../engine/model/log-entry.ts'
import { ConfigError } from '../lib/config-error.ts'
import { packageRoot } from '../lib/package-root.ts'
import { problemsOfBlock, schemaOfBlocks } from './check-block.ts'
import type { Block } from './kit/block-kit.ts'
import { handlerOf, type ViewBase } from './to-handler.ts'

/** A block type of the operator, and the file that it comes from. */
export interface OwnBlock {
  readonly path: string
  readonly block: Block
  /** Of its blocks in definitions. */
  readonly schema: TSchema
}

/** Every block type that is served: those built in, and those of the operator. */
export interface Blocks {
  readonly registry: BlockRegistry
  readonly own: readonly OwnBlock[]
}

/** The block types of this service alone. */
export const builtInBlocks: Blocks = { registry: blockRegistry, own: [] }

/**
 * Loads the modules of a folder, each of which exports a block. Throws a ConfigError that names, for everything that is
 * wrong, the file and the property.
 */
export async function loadBlocks(folder: string | undefined): Promise<Blocks> {
  if (folder === undefined) return builtInBlocks
  provideKit()
  const problems: string[] = []
  const registry = new Map<string, BlockHandler>(blockRegistry)
  const own: OwnBlock[] = []
  for (const path of await filesOf(folder)) {
    const given = await importBlock(path, problems)
    if (!given) continue
    const found = [...problemsOfBlock(given.exported), ...problemsAmong(given.exported, own)]
    const block = given.exported as Block
    const base = found.length === 0 ? viewBaseOf(block, found) : undefined
    problems.push(...found.map((problem) => `${path} ${problem}`))
    if (found.length > 0) continue
    const schema = schemaOfBlocks(block)
    own.push({ path, block, schema })
    registry.set(block.type, handlerOf(block, schema, base))
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { registry, own }
}

async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder)
    // Types that are written beside a block are no block.
    const modules = names.filter((name) => /\.(?:js|ts)$/.test(name) && !name.endsWith('.d.ts'))
    return modules.sort().map((name) => join(folder, name))
  } catch (error) {
    throw new ConfigError([
      `BLOCKS_DIR ${JSON.stringify(folder)} can not be read (${(error as NodeJS.ErrnoException).code}): it is the folder of own blocks`,
    ])
  }
}

interface Exported {
  readonly exported: unknown
}

async function importBlock(path: string, problems: string[]): Promise<Exported | undefined> {
  try {
    const module = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown }
    return { exported: module.default }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    problems.push(
      code === 'ERR_UNKNOWN_FILE_EXTENSION' && path.endsWith('.ts')
        ? `${path} is TypeScript, which Node ${process.versions.node} does not run: use Node 22.18 or later, or compile it to JavaScript`
        : `${path} can not be loaded: ${message}`,
    )
    return undefined
  }
}

function problemsAmong(given: unknown, own: readonly OwnBlock[]): string[] {
  const type = (given as Partial<Block> | undefined)?.type
  const taken = own.find(({ block }) => block.type === type)
  return taken ? [`/type ${JSON.stringify(type)} is taken by ${taken.path}`] : []
}

const validator = createLazyValidator()

function viewBaseOf({ kind, view }: Block, problems: string[]): ViewBase | undefined {
  if (!view) return undefined
  const base = blockRegistry.get(view.type)
  if (base?.kind !== kind) {
    const known = [...blockRegistry].filter(([, handler]) => handler.kind === kind).map(([type]) => type)
    problems.push(`/view/type must be one of ${known.join(', ')}: it is ${JSON.stringify(view.type)}`)
    return undefined
  }
  const valid = validator(base.schema)
  return {
    base,
    check(block: AnyBlock) {
      if (valid.accepts(block)) return
      const [{ pointer, message } = { pointer: '', message: '' }] = toProblems(valid.errorsOf(block))
      throw new ExplainedError(`view/block returned what is no ${view.type}: ${pointer} ${message}`)
    },
  }
}

const isSource = import.meta.url.endsWith('.ts')

let isProvided = false

/** Blocks find `flow-runtime/blocks` wherever they lie: it is the one of this runtime. */
function provideKit(): void {
  if (isProvided) return
  isProvided = true
  const kit = isSource ? 'src/own-blocks/kit/block-kit.ts' : 'dist/kit/block-kit.js'
  const url = JSON.stringify(pathToFileURL(join(packageRoot, kit)).href)
  const hook = `export const resolve = (name, context, next) => name === 'flow-runtime/blocks' ? next(${url}, context) : next(name, context)`
  register(`data:text/javascript,${encodeURIComponent(hook)}`)
}
