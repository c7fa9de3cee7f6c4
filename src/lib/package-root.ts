import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this package, wherever in it this file was built to. */
export const packageRoot = rootAbove(import.meta.dirname)

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder))
}
