import { createHash } from 'node:crypto'
import type { Range } from '../../lib/text-lines.ts'
import { versionText } from '../../lib/version-text.ts'
import { sentenceOf } from '../../tooling/lint/finding.ts'
import type { Rule } from '../../tooling/lint/rule.ts'
import { rules } from '../../tooling/lint/rules/index.ts'
import { mend } from '../lint-files/apply-fixes.ts'
import type { CheckedFile, FileFinding } from '../lint-files/flow-file.ts'

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'

const sarifLevels = { error: 'error', warning: 'warning', info: 'note' } as const

/** For code scanning: SARIF 2.1.0. */
export function sarifReport(files: readonly CheckedFile[]): string {
  const driver = {
    name: 'flow-runtime lint',
    semanticVersion: versionText().trim(),
    rules: rules.map(descriptorOf),
  }
  const results = files.flatMap((file) => file.findings.map((finding) => resultOf(file, finding)))
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results }
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function descriptorOf({ code, title, description, severity }: Rule) {
  return {
    id: code,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: description },
    help: { text: description, markdown: description },
    defaultConfiguration: { level: sarifLevels[severity] },
  }
}

const ruleIndexes: ReadonlyMap<string, number> = new Map(rules.map(({ code }, index) => [code, index]))

function resultOf(file: CheckedFile, finding: FileFinding) {
  const fixes = fixesOf(file, finding)
  return {
    ruleId: finding.code,
    ruleIndex: ruleIndexes.get(finding.code) ?? -1,
    level: sarifLevels[finding.severity],
    message: { text: sentenceOf(finding) },
    locations: [locationOf(file.path, finding.range, finding.pointer)],
    relatedLocations: finding.related.map(({ pointer, message }, id) => ({
      id,
      message: { text: message },
      ...locationOf(file.path, file.rangeOf(pointer), pointer),
    })),
    partialFingerprints: { 'flow/v1': fingerprintOf(file.path, finding) },
    ...(fixes && { fixes }),
  }
}

function locationOf(path: string, range: Range, pointer: string) {
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(path) }, region: regionOf(range) },
    // The name of the whole document is empty, which a name may not be.
    ...(pointer !== '' && { logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }] }),
  }
}

const uriOf = (path: string) => path.split('/').map(encodeURIComponent).join('/').replace(/^\.\//, '')

/** Lines and columns count from 1 there, and the end is behind the last character. */
function regionOf({ start, end }: Range) {
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  }
}

/** Made of what stays when a group is moved: ids, and the place inside of what has one. */
function fingerprintOf(
  path: string,
  { code, pointer, groupId, blockId, edgeId, variableId }: FileFinding,
): string {
  const inside = pointer.replace(
    /^\/(?:groups\/\d+(?:\/blocks\/\d+)?|edges\/\d+|variables\/\d+|events\/\d+)/,
    '',
  )
  const parts = [path, code, groupId, blockId, edgeId, variableId, inside]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** The whole text in place of the old one: what is deleted from a list takes a comma along. */
function fixesOf(file: CheckedFile, finding: FileFinding) {
  if (!finding.fix) return undefined
  const { text } = mend({ ...file, findings: [finding] })
  if (text === file.text) return undefined
  const { deleted, inserted } = differenceOf(file.text, text)
  const replacement = {
    deletedRegion: { charOffset: deleted.offset, charLength: deleted.length },
    insertedContent: { text: inserted },
  }
  return [
    {
      description: { text: finding.fix.title },
      artifactChanges: [{ artifactLocation: { uri: uriOf(file.path) }, replacements: [replacement] }],
    },
  ]
}

/** The one region in which two texts differ. */
function differenceOf(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let offset = 0
  while (offset < shorter && before[offset] === after[offset]) offset++
  let tail = 0
  while (tail < shorter - offset && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return {
    deleted: { offset, length: before.length - offset - tail },
    inserted: after.slice(offset, after.length - tail),
  }
}
