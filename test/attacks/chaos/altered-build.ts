import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place of a built file, and what stands there instead. */
export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The folder of a build, and what erases it. */
export interface Build {
  readonly dist: string
  remove(): void
}

/** Makes a copy of the build with the changes. */
export function alterBuild(root: string, changes: readonly Change[]): Build {
  // Inside the project, so that the packages are found.
  const dist = mkdtempSync(join(root, 'dist-altered-'))
  cpSync(join(root, 'dist'), dist, { recursive: true })
  for (const { file, from, to } of changes) {
    const path = join(dist, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
  }
  return { dist, remove: () => rmSync(dist, { recursive: true, force: true }) }
}
