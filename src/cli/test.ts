import { writeFile } from 'node:fs/promises'
import { type Console, exitCodes, type Run, UsageError } from './command.ts'
import { findAnyFiles, findFiles, repeatOnChange } from './input/find-files.ts'
import type { CoveredFlow } from './test-files/read-test-file.ts'
import { runFiles } from './test-files/run-files.ts'
import { readTestArguments, type TestArguments, testUsage } from './test-files/test-arguments.ts'
import { coverageFormats, percentOf } from './test-formats/coverage-formats.ts'
import { testFormats } from './test-formats/test-formats.ts'

/** Text of `test --help`. */
export const help = (): string => testUsage

/** Runs files of tests: 0 when all passed, 1 when one failed or too little was run, 2 for wrong usage. */
export const run: Run = async (args, console) => {
  const asked = readTestArguments(args, console.env)
  if (!asked.isWatching) return runOnce(asked, console)
  const paths = await findTests(asked, console)
  await repeatOnChange(paths, () => runOnce(asked, console), console)
  return undefined
}

/** Own blocks bring cases, which need no file of tests beside them. */
function findTests({ paths, blocks }: TestArguments, { env }: Console): Promise<string[]> {
  const find = blocks || env['BLOCKS_DIR'] ? findAnyFiles : findFiles
  return find(paths, '.flowtest.yaml')
}

async function runOnce(asked: TestArguments, console: Console): Promise<number> {
  const paths = await findTests(asked, console)
  const { files, flows } = await runFiles(paths, asked, console)
  const all = files.flatMap(({ tests }) => tests)
  if (all.length === 0 && !asked.shard) throw new UsageError(nothingToRun(asked))
  console.print(testFormats[asked.format](files))
  if (asked.coverage) await writeCoverage(coverageFormats[asked.coverage](flows), asked, console)
  const isCovered = checkMinimum(flows, asked, console)
  return isCovered && all.every(({ outcome }) => outcome === 'passed') ? exitCodes.fine : exitCodes.failed
}

function nothingToRun({ only, paths }: TestArguments): string {
  return only === undefined
    ? `There is no *.flowtest.yaml in ${paths.join(', ')}, and no own block has cases`
    : `No test has the tag ${JSON.stringify(only)}`
}

async function writeCoverage(text: string, { coverageFile }: TestArguments, console: Console): Promise<void> {
  if (coverageFile === undefined) return console.print(text)
  await writeFile(coverageFile, text).catch((error: Error) => {
    throw new UsageError(`--coverage-file ${coverageFile} can not be written: ${error.message}`)
  })
}

function checkMinimum(flows: readonly CoveredFlow[], { minimum }: TestArguments, console: Console): boolean {
  let isCovered = true
  for (const { path, summary } of flows) {
    for (const [kind, least] of minimum) {
      const share = percentOf(summary[kind])
      if (share >= least) continue
      isCovered = false
      console.warn(
        `${path}: ${share.toFixed(1)} % of the ${kind} were run, less than --min-coverage ${kind}=${least}\n`,
      )
    }
  }
  return isCovered
}
