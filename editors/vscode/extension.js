const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = async () => {
  const [command, ...args] = workspace.getConfiguration('flowRuntime').get('command')
  const [folder] = workspace.workspaceFolders ?? []
  // Windows starts npx, which is a script there, by a shell only.
  const options = { cwd: folder?.uri.fsPath, shell: process.platform === 'win32' }
  const documentSelector = ['**/*.json', '**/*.flow.yaml', '**/*.flowtest.yaml'].map((pattern) => ({
    scheme: 'file',
    pattern,
  }))
  client = new LanguageClient('flowRuntime', 'Flow runtime', { command, args, options }, { documentSelector })
  await client.start()
}

exports.deactivate = () => client?.stop()
