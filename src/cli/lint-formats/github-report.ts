import { sentenceOf } from '../../lint/finding.ts'
import type { CheckedFile, FileFinding } from '../lint-files/flow-file.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

/** For GitHub Actions: a workflow command for each finding, which it shows at its line. */
export function githubReport(files: readonly CheckedFile[]): string {
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
  const written = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  )
  return `::${commands[severity]} ${written.join(',')}::${escapeData(sentenceOf(finding))}\n`
}

/** The rest of the line is data, and a line end would begin another command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
