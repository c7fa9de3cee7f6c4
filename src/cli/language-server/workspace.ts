import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { flowFileEndings, isFlowFile } from '../../definition/read-flow-text.ts'
import { findFiles } from '../input/find-files.ts'
import { readTextFile } from '../input/read-text-file.ts'
import { kindOf } from './document-text.ts'

/** Files of tests that a rename looks into. */
const mostTests = 500

/** The path of a file; undefined for documents that are none, such as unsaved ones. */
export function pathOfUri(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

/** Documents as their author sees them: those that are open as they are typed, the others from the disk. */
export function createWorkspace(openDocument: (uri: string) => TextDocument | undefined) {
  async function read(path: string): Promise<TextDocument | undefined> {
    const uri = pathToFileURL(path).href
    const open = openDocument(uri)
    if (open) return open
    const text = await readTextFile(path).catch(() => undefined)
    return text === undefined ? undefined : TextDocument.create(uri, kindOf(uri) ?? '', 0, text)
  }

  return {
    /** The flow that a document is about: itself, or that of the tests in it. */
    async flowOf(document: TextDocument): Promise<TextDocument | undefined> {
      if (kindOf(document.uri) !== 'tests') return document
      for (const path of flowPathsIn(document)) {
        const flow = await read(path)
        if (flow) return flow
      }
      return undefined
    },
    /** The files of tests below the folder of a flow, or below another folder, that are about it. */
    async testsOf(flow: TextDocument, folder?: string): Promise<readonly TextDocument[]> {
      const path = pathOfUri(flow.uri)
      if (path === undefined) return []
      const folders = [dirname(path), ...(folder === undefined ? [] : [folder])]
      const files = await findFiles(folders, '.flowtest.yaml').catch(() => [])
      const documents = await Promise.all(files.slice(0, mostTests).map(read))
      return documents.filter(
        (one): one is TextDocument => one !== undefined && flowPathsIn(one).includes(path),
      )
    },
  }
}

/** Files that `flow:` of tests may mean, which may leave the ending out. */
function flowPathsIn(tests: TextDocument): readonly string[] {
  const path = pathOfUri(tests.uri)
  const [, named] = /^flow:\s*["']?([^\s"'#]+)/m.exec(tests.getText()) ?? []
  if (path === undefined || named === undefined) return []
  const found = resolve(dirname(path), named)
  return isFlowFile(found) ? [found] : flowFileEndings.map((ending) => `${found}${ending}`)
}
