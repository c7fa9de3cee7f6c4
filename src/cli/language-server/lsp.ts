import { parseArgs } from 'node:util'
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node.js'
import type { Run } from '../command.ts'
import { blocksOption, readBlocks } from '../input/read-blocks.ts'
import { startLanguageServer } from './language-server.ts'

/** Text of `lsp --help`. */
export const help = (): string => `Usage: flow-runtime lsp [--blocks FOLDER]

Answers an editor about flows (*.json, *.flow.yaml) and their tests (*.flowtest.yaml) by the Language Server Protocol, over its standard
input and output: findings as one types, completion of variables, groups and accounts, definitions, renames, and what a block
does. docs/editors.md says how editors start it.

  --blocks FOLDER  own block types (default BLOCKS_DIR)

Reads the names of accounts from CREDENTIALS_FILE, where it is set. Ends with the editor.
`

export const run: Run = async (args, console) => {
  // Editors say how they talk to a server: there is one way.
  const options = { ...blocksOption, stdio: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...args], options })
  const blocks = await readBlocks(values.blocks, console)
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout)
  const credentialsFile = console.env['CREDENTIALS_FILE']
  await startLanguageServer(connection, { blocks, credentialsFile, now: () => performance.now() })
  return undefined
}
