import { sentenceOf } from '../../tooling/lint/finding.ts'
import { lineColumn } from '../input/flow-source.ts'
import type { CheckedFile, FileFinding } from '../lint-files/flow-file.ts'
import { countOf, oneLine } from '../output/plain-text.ts'
import { workflowCommand } from '../output/workflow-command.ts'
import { junitReport } from './junit-report.ts'
import { sarifReport } from './sarif-report.ts'

type WriteReport = (files: readonly CheckedFile[]) => string

/** Every way to write it, by its name on the command line. */
export const reportFormats = {
  pretty: prettyReport,
  json: jsonReport,
  github: githubReport,
  sarif: sarifReport,
  junit: junitReport,
} as const satisfies Readonly<Record<string, WriteReport>>

/**
 * Text for people: the findings of each file, a line each, and their number. In a file that is one long line a column is
 * of no use, so the pointer takes its place there.
 */
function prettyReport(files: readonly CheckedFile[]): string {
  const sections = files.filter(({ findings }) => findings.length > 0).map(sectionOf)
  return [...sections, summaryOf(files)].join('\n')
}

function sectionOf({ path, text, findings }: CheckedFile): string {
  const isOneLine = !text.trimEnd().includes('\n')
  const rows = findings.map((finding) => [
    isOneLine && finding.pointer ? oneLine(finding.pointer) : lineColumn(finding.range),
    finding.severity,
    oneLine(sentenceOf(finding)),
    finding.code,
  ])
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const [places, severities] = [width(0), width(1)]
  const lines = rows.map(
    ([place = '', severity = '', text, code]) =>
      `  ${place.padStart(places)}  ${severity.padEnd(severities)}  ${text}  ${code}`,
  )
  return [path, ...lines, ''].join('\n')
}

function summaryOf(files: readonly CheckedFile[]): string {
  const findings = files.flatMap((file) => file.findings)
  const counts = (['error', 'warning', 'info'] as const).map((severity) =>
    countOf(findings.filter((finding) => finding.severity === severity).length, severity),
  )
  const fixable = findings.filter(({ fix }) => fix).length
  const hint = fixable > 0 ? `; --fix mends ${fixable}` : ''
  return `${countOf(files.length, 'file')}: ${counts.join(', ')}${hint}\n`
}

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

/** For GitHub Actions: a workflow command for each finding, which it shows at its line. */
function githubReport(files: readonly CheckedFile[]): string {
  return files.flatMap(({ path, findings }) => findings.map((finding) => lineOf(path, finding))).join('')
}

function lineOf(file: string, finding: FileFinding): string {
  const { range, code, severity } = finding
  const properties = {
    file,
    line: range.start.line + 1,
    endLine: range.end.line + 1,
    // Columns are taken for those of one line only.
    ...(range.start.line === range.end.line && {
      col: range.start.character + 1,
      endColumn: range.end.character + 1,
    }),
    title: code,
  }
  return workflowCommand(commands[severity], properties, sentenceOf(finding))
}

/** For programs: as a check over HTTP answers, file by file, with the places in the texts. */
function jsonReport(files: readonly CheckedFile[]): string {
  const report = files.map(({ path, runnable, findings }) => {
    const valid = findings.every(({ severity }) => severity !== 'error')
    return { file: path, valid, runnable, findings }
  })
  return `${JSON.stringify({ files: report }, null, 2)}\n`
}
