import { dirname, join } from 'node:path'
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node.js'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { parseYaml, YamlError } from '../../adapters/yaml-reader/parse-yaml.ts'
import { flowFileEndings } from '../../definition/read-flow-text.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import { listFlowFiles } from '../../publication/flow-folder/read-flow-file.ts'
import { placeIn, problemsOfTests } from '../../tooling/flow-tests/read-tests.ts'
import { sentenceOf } from '../../tooling/lint/finding.ts'
import { type RunnableSource, runnableSourceOf } from '../input/flow-source.ts'
import { readTextFile } from '../input/read-text-file.ts'
import { checkFile } from '../lint-files/check-files.ts'
import type { FileFinding } from '../lint-files/flow-file.ts'
import { createConfigReader } from '../lint-files/lint-config.ts'
import { kindOf, mostCharacters } from './document-text.ts'

/** Time of a check: that of what is typed next waits for it. */
const mostMs = 2000

/** Flows of a folder that links are looked up in. */
const mostNeighbours = 200

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const

const source = 'flow-runtime'

/** Checks documents as `lint` checks files, each among the other flows of its folder, which are read once until they change. */
export function createDocumentCheck(registry: BlockRegistry, now: () => number) {
  const neighbours = new Map<string, Promise<readonly RunnableSource[]>>()

  async function checkFlow(path: string, text: string): Promise<readonly Diagnostic[]> {
    const file = runnableSourceOf(path, text, registry)
    const folder = dirname(path)
    const others = neighbours.get(folder) ?? readNeighbours(folder, registry)
    neighbours.set(folder, others)
    const until = now() + mostMs
    const configOf = createConfigReader(undefined)
    const terms = {
      registry,
      accounts: undefined,
      rules: {},
      configFor: async (named: string) => ({ ...(await configOf(named)), isOver: () => now() > until }),
    }
    const files = [file, ...(await others).filter((other) => other.path !== file.path)]
    const { findings } = await checkFile(file, files, terms)
    return findings.map(diagnosticOf)
  }

  return {
    /** Findings in a document; none for what is no flow and no file of tests. */
    async check(document: TextDocument, path: string): Promise<readonly Diagnostic[]> {
      const text = document.getText()
      const kind = kindOf(document.uri)
      if (kind === undefined || text.length > mostCharacters) return []
      if (kind === 'tests') return checkTests(text)
      return kind === 'yaml' || isFlow(text) ? await checkFlow(path, text) : []
    },
    /** Forgets the flows beside a file that has changed. */
    forget: (path: string) => void neighbours.delete(dirname(path)),
  }
}

/** JSON of other kinds lies beside flows. A flow is one also while it can't be parsed. */
const isFlow = (text: string) => /"groups"\s*:\s*\[|"\$schema"\s*:\s*"[^"]*\bflow\.schema\.json"/.test(text)

async function readNeighbours(folder: string, registry: BlockRegistry): Promise<readonly RunnableSource[]> {
  const files = (await listFlowFiles(folder, flowFileEndings)) ?? []
  const read = await Promise.allSettled(
    files.slice(0, mostNeighbours).map(async (file) => {
      const path = join(folder, file)
      return runnableSourceOf(path, await readTextFile(path), registry)
    }),
  )
  return read.flatMap((one) => (one.status === 'fulfilled' && one.value.read ? [one.value] : []))
}

function diagnosticOf(finding: FileFinding): Diagnostic {
  const { range, severity, code } = finding
  return { range, severity: severities[severity], code, source, message: sentenceOf(finding) }
}

function checkTests(text: string): readonly Diagnostic[] {
  try {
    const { value, places } = parseYaml(text)
    return problemsOfTests(value).map(({ pointer, message }) =>
      problemAt(placeIn(places, pointer), `${pointer || 'the file'} ${message}`),
    )
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return [problemAt(error.place ?? '1:1', `the file ${error.message}`)]
  }
}

/** A place is `line:column`, from 1. */
function problemAt(place: string, message: string): Diagnostic {
  const [line = 1, column = 1] = place.split(':').map(Number)
  const start = { line: line - 1, character: column - 1 }
  const end = { line: line - 1, character: column }
  return { range: { start, end }, severity: DiagnosticSeverity.Error, source, message }
}
