import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import type { BlockRegistry } from '../../src/engine/model/block-handler.ts'
import { schemaOfBlocks } from '../../src/own-blocks/check-block.ts'
import type { Block } from '../../src/own-blocks/kit/block-kit.ts'
import { handlerOf } from '../../src/own-blocks/to-handler.ts'

/** The built-in types and one that shows nothing. */
export function registryWith(block: Block): BlockRegistry {
  return new Map([...blockRegistry, [block.type, handlerOf(block, schemaOfBlocks(block), undefined)]])
}

/** A folder of modules, each of which exports this source. */
export function folderOfBlocks(modules: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'blocks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(folder, { recursive: true })
  for (const [name, source] of Object.entries(modules)) writeFileSync(join(folder, name), source)
  return folder
}
