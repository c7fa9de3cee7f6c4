import { sentenceOf } from '../../tooling/lint/finding.ts'
import { rules } from '../../tooling/lint/rules/index.ts'
import { fileLineColumn } from '../input/flow-source.ts'
import type { CheckedFile, FileFinding } from '../lint-files/flow-file.ts'
import { escapeXml } from '../output/plain-text.ts'

/** For CI systems without SARIF: a suite for each file, with a case for each rule that found something, or one that passed. */
export function junitReport(files: readonly CheckedFile[]): string {
  const suites = files.map(suiteOf)
  const count = (key: 'tests' | 'failures') => suites.reduce((sum, suite) => sum + suite[key], 0)
  const head = `<testsuites name="flow-runtime lint" tests="${count('tests')}" failures="${count('failures')}">`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    head,
    ...suites.map(({ xml }) => xml),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteOf({ path, findings }: CheckedFile) {
  const codes = rules
    .map(({ code }) => code)
    .filter((code) => findings.some((finding) => finding.code === code))
  const cases = codes.map((code) =>
    caseOf(
      path,
      code,
      findings.filter((finding) => finding.code === code),
    ),
  )
  const tests = Math.max(1, cases.length)
  const failures = cases.filter(({ isFailure }) => isFailure).length
  const passed = `    <testcase classname="${escapeXml(path)}" name="no findings" time="0"/>`
  const lines = cases.length > 0 ? cases.map(({ xml }) => xml) : [passed]
  const head = `  <testsuite name="${escapeXml(path)}" tests="${tests}" failures="${failures}" errors="0" skipped="0" time="0">`
  return { tests, failures, xml: [head, ...lines, '  </testsuite>'].join('\n') }
}

/** A finding of severity `info` fails no case: it is output. */
function caseOf(path: string, code: string, findings: readonly FileFinding[]) {
  const [first] = findings
  const isFailure = findings.some(({ severity }) => severity !== 'info')
  const details = escapeXml(findings.map((finding) => lineOf(path, finding)).join('\n'))
  const message = first ? sentenceOf(first) : ''
  const inside = isFailure
    ? `<failure type="${first?.severity}" message="${escapeXml(message)}">${details}</failure>`
    : `<system-out>${details}</system-out>`
  const xml = `    <testcase classname="${escapeXml(path)}" name="${code}" time="0">${inside}</testcase>`
  return { isFailure, xml }
}

function lineOf(path: string, finding: FileFinding): string {
  return `${fileLineColumn(path, finding.range)} ${finding.severity} ${sentenceOf(finding)}`
}
