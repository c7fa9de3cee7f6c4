import type { PublishedFlow } from '../published-flows.ts'
import type { ReadFile } from './flow-states.ts'
import type { PublicationLog } from './publication-log.ts'
import type { PublishedIndex } from './published-index.ts'

/** Logs what concerns the folder as a whole, each thing once for as long as it lasts. */
export interface FolderLog {
  /** The folder was scanned; undefined when there is none. */
  listed(names: readonly string[] | undefined): void
  unreadable(error: unknown): void
  /** Says how many flows were published at once, and how many of them have flaws. */
  summed(files: readonly ReadFile[]): void
  shadowed(shadowed: PublishedIndex['shadowed'], published: ReadonlyMap<string, PublishedFlow>): void
}

export function createFolderLog(folder: string, report: PublicationLog): FolderLog {
  let state = ''
  let toldShadows = new Set<string>()

  /** Whether this is news. */
  function enter(next: string): boolean {
    const isNew = next !== state
    state = next
    return isNew
  }

  return {
    listed(names) {
      if (names) state = ''
      else if (enter('missing')) {
        report.warn(
          { folder },
          'folder of the published flows does not exist: flows stay as they are until it does',
        )
      }
    },
    unreadable(error) {
      if (enter(`unreadable: ${error}`)) {
        report.error(
          { folder, err: error },
          'folder of the published flows can not be read: flows stay as they are',
        )
      }
    },
    summed(files) {
      const published = files.filter(({ flow }) => flow).length
      const flawed = files.filter(({ findings }) => findings.length > 0).length
      report.info(
        { folder, files: files.length, published, flawed },
        'flows published; those that come or change are logged one by one, with their flaws',
      )
    },
    shadowed(shadowed, published) {
      const fileOf = new Map([...published].map(([file, flow]) => [flow, file]))
      const shadows = shadowed.map(({ flow, by }) => ({
        file: fileOf.get(flow),
        publicId: flow.publicId,
        publishedFrom: fileOf.get(by),
      }))
      const present = new Set(shadows.map((shadow) => JSON.stringify(shadow)))
      for (const shadow of shadows) {
        if (toldShadows.has(JSON.stringify(shadow))) continue
        report.warn(shadow, 'two flow files have one public id: the first by name is published')
      }
      toldShadows = present
    },
  }
}
