import { sentenceOf } from '../../tooling/lint/finding.ts'
import type { CheckedFile, FileFinding } from '../lint-files/flow-file.ts'
import { workflowCommand } from '../output/workflow-command.ts'

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
  return workflowCommand(commands[severity], properties, sentenceOf(finding))
}
