import type { CheckedFile } from '../lint-files/flow-file.ts'
import { githubReport } from './github-report.ts'
import { jsonReport } from './json-report.ts'
import { junitReport } from './junit-report.ts'
import { prettyReport } from './pretty-report.ts'
import { sarifReport } from './sarif-report.ts'

/** Writes what was found in files. */
type WriteReport = (files: readonly CheckedFile[]) => string

/** Every way to write it, by its name on the command line. */
export const reportFormats = {
  pretty: prettyReport,
  json: jsonReport,
  github: githubReport,
  sarif: sarifReport,
  junit: junitReport,
} as const satisfies Readonly<Record<string, WriteReport>>

export type ReportFormat = keyof typeof reportFormats
