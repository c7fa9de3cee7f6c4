import { workflowCommand } from '../output/workflow-command.ts'
import type { TestedFile } from '../test-files/tested-file.ts'
import { describeUnusedMock } from './unused-mocks.ts'

/** For GitHub Actions: a workflow command for each failure and each mock that never fitted, which it shows at its line. */
export function githubTests(files: readonly TestedFile[]): string {
  return files.flatMap(commandsOf).join('')
}

function commandsOf({ read, tests, unusedMocks }: TestedFile): string[] {
  const at = (pointer: string) => {
    const [line = '1', col = '1'] = read.placeOf(pointer).split(':')
    return { file: read.path, line, col }
  }
  const failed = tests.flatMap(({ name, failures }) =>
    failures.map(({ pointer, message }) =>
      workflowCommand('error', { ...at(pointer), title: name }, message),
    ),
  )
  const unused = unusedMocks.map((rule) => workflowCommand('warning', at(rule), describeUnusedMock(rule)))
  return [...failed, ...unused]
}
