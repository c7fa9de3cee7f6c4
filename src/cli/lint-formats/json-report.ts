import type { CheckedFile } from '../lint-files/flow-file.ts'

/** For programs: as a check over HTTP answers, file by file, with the places in the texts. */
export function jsonReport(files: readonly CheckedFile[]): string {
  const report = files.map(({ path, runnable, findings }) => {
    const valid = findings.every(({ severity }) => severity !== 'error')
    return { file: path, valid, runnable, findings }
  })
  return `${JSON.stringify({ files: report }, null, 2)}\n`
}
