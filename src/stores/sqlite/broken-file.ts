import { join } from 'node:path'

/** Error codes of SQLite for a file that is no whole database. */
const brokenFile = [11, 26]

export const isBrokenFile = (errcode: number | undefined) => brokenFile.includes((errcode ?? 0) & 0xff)

/** The remedy for the operator of a folder whose file is broken. */
export const remedyFor = (folder: string) =>
  `restore a backup of ${join(folder, 'data.db')} (docs/deploy.md, "Backups of the folder"), or move all files of ` +
  'that name away to begin with an empty one'
