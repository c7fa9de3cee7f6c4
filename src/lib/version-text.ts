import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

const require = createRequire(import.meta.url)

/** The version of the package that this file belongs to, built or not. */
export function packageVersion(): string {
  const { version } = require(join(packageRoot, 'package.json')) as { readonly version: string }
  return version
}

/** Text of `--version`. */
export function versionText(): string {
  return `${packageVersion()}\n`
}
