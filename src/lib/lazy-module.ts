import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Defers loading a package to the first call: for those that few flows need, and that take memory and time when the
 * process starts. Loading one blocks for about 50 ms, once.
 */
export function lazyModule<Module>(name: string): () => Module {
  let loaded: Module | undefined
  return () => {
    loaded ??= require(name) as Module
    return loaded
  }
}
