import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { LanguageService, WorkspaceContextService } from 'yaml-language-server'
import { schemaFile } from '../../../src/tooling/schema-files/schema-files.ts'

const { getLanguageService } = createRequire(import.meta.url)('yaml-language-server') as {
  getLanguageService(params: object): LanguageService
}

const services = new Map<string, LanguageService>()

/** One for each schema, as it reads the schema once. */
function serviceOf(name: string): LanguageService {
  const known = services.get(name)
  if (known) return known
  const telemetry = { send: () => undefined, sendError: () => undefined, sendTrack: () => undefined }
  const service = getLanguageService({
    schemaRequestService: async () => schemaFile(name) ?? '',
    workspaceContext: { resolveRelativePath: (path: string) => path } as WorkspaceContextService,
    telemetry,
  })
  service.configure({
    validate: true,
    completion: true,
    hover: true,
    yamlVersion: '1.2',
    schemas: [{ uri: `schema://${name}`, fileMatch: ['*.yaml'] }],
  })
  services.set(name, service)
  return service
}

/** What the YAML support of editors says of a file, by the schema that it is given, and at the place of the mark ¦. */
export function openYaml(text: string, name: string) {
  const service = serviceOf(name)
  const at = Math.max(0, text.indexOf('¦'))
  // What was parsed of a document is kept by its address and version, for other files of tests in this process as well.
  const document = TextDocument.create(`file:///${randomUUID()}.yaml`, 'yaml', 1, text.replace('¦', ''))
  const position = document.positionAt(at)
  const validate = () => service.doValidation(document, false)
  return {
    problemLines: async () => (await validate()).map(({ range }) => range.start.line),
    problems: async () => (await validate()).map(({ message }) => message),
    completions: async () =>
      (await service.doComplete(document, position, false)).items.map(({ label }) => label),
    hover: async () => JSON.stringify((await service.doHover(document, position))?.contents ?? ''),
  }
}
