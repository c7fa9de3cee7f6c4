import { type Console, exitCodes, type Run } from './command.ts'
import { findFlowFiles, repeatOnChange } from './input/find-files.ts'
import { readBlocks } from './input/read-blocks.ts'
import { applyFixes } from './lint-files/apply-fixes.ts'
import { checkFiles, readFlowFiles } from './lint-files/check-files.ts'
import { readAccounts } from './lint-files/file-surroundings.ts'
import type { CheckedFile } from './lint-files/flow-file.ts'
import { type LintArguments, lintUsage, readLintArguments } from './lint-files/lint-arguments.ts'
import { createConfigReader } from './lint-files/lint-config.ts'
import { reportFormats } from './lint-formats/report-formats.ts'

/** Text of `lint --help`. */
export const help = (): string => lintUsage

/** Checks flow files: 0 when nothing is as grave as `--fail-on` says, 1 when something is, 2 for wrong usage; stays where it watches. */
export const run: Run = async (args, console) => {
  const asked = readLintArguments(args, console.env)
  if (!asked.isWatching) return checkOnce(asked, console)
  const paths = await findFlowFiles(asked.paths)
  await repeatOnChange(paths, () => checkOnce(asked, console), console)
  return undefined
}

async function checkOnce(asked: LintArguments, console: Console): Promise<number> {
  const files = await findFlowFiles(asked.paths)
  const { registry } = await readBlocks(asked.blocks, console)
  const terms = {
    registry,
    accounts: await readAccounts(asked.credentials, console.env),
    configFor: createConfigReader(asked.config),
    rules: asked.rules,
    workingOn: console.workingOn,
    channels: asked.channels,
    served:
      asked.against === undefined
        ? []
        : await readFlowFiles(await findFlowFiles([asked.against]), { ...console, registry }),
  }
  let checked = await checkFiles(files, terms)
  if (asked.isFixing && (await applyFixes(checked, terms, console)) > 0)
    checked = await checkFiles(files, terms)
  console.print(reportFormats[asked.format](checked))
  return exitCodeOf(checked, asked, console)
}

function exitCodeOf(
  checked: readonly CheckedFile[],
  { failOn, maxWarnings }: LintArguments,
  console: Console,
): number {
  const findings = checked.flatMap((file) => file.findings)
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length
  const failing = {
    error: ['error'],
    warning: ['error', 'warning'],
    info: ['error', 'warning', 'info'],
    never: [],
  }
  const warnings = count('warning')
  const isOver = maxWarnings !== undefined && warnings > maxWarnings
  if (isOver)
    console.warn(`There are ${warnings} warnings, more than --max-warnings ${maxWarnings} allows.\n`)
  const hasFailed = failing[failOn].some((severity) => count(severity) > 0)
  return hasFailed || isOver ? exitCodes.failed : exitCodes.fine
}
