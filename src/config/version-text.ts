import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What `--version` prints: the version of the package that this file belongs to, built or not. */
export function versionText(folder = import.meta.dirname): string {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return versionText(dirname(folder))
  const { version } = createRequire(file)(file) as { readonly version: string }
  return `${version}\n`
}
