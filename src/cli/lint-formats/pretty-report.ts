import { sentenceOf } from '../../tooling/lint/finding.ts'
import type { CheckedFile, FileFinding } from '../lint-files/flow-file.ts'
import { countOf } from '../output/count-of.ts'
import { oneLine } from '../output/plain-text.ts'

/**
 * Text for people: the findings of each file, a line each, and their number. In a file that is one long line a column is
 * of no use, so the pointer takes its place there.
 */
export function prettyReport(files: readonly CheckedFile[]): string {
  const sections = files.filter(({ findings }) => findings.length > 0).map(sectionOf)
  return [...sections, summaryOf(files)].join('\n')
}

function sectionOf({ path, text, findings }: CheckedFile): string {
  const isOneLine = !text.trimEnd().includes('\n')
  const rows = findings.map((finding) => [
    isOneLine ? oneLine(finding.pointer || '/') : placeOf(finding),
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

const placeOf = ({ range: { start } }: FileFinding) => `${start.line + 1}:${start.character + 1}`

function summaryOf(files: readonly CheckedFile[]): string {
  const findings = files.flatMap((file) => file.findings)
  const counts = (['error', 'warning', 'info'] as const).map((severity) =>
    countOf(findings.filter((finding) => finding.severity === severity).length, severity),
  )
  const fixable = findings.filter(({ fix }) => fix).length
  const hint = fixable > 0 ? `; --fix mends ${fixable}` : ''
  return `${countOf(files.length, 'file')}: ${counts.join(', ')}${hint}\n`
}
