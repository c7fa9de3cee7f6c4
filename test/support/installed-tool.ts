import { spawnSync } from 'node:child_process'

const versionFlags: Readonly<Record<string, string>> = {
  nginx: '-v',
  helm: 'version',
  'swift-proxy-server': '--help',
}

/**
 * The tool, where it is installed. Without it, the tests that need it are skipped by name, or fail where CI asks for
 * all. `what` is what they show.
 */
export function installedTool(tool: string, what: string): string[] {
  if (spawnSync(tool, [versionFlags[tool] ?? '--version'], { stdio: 'ignore' }).status === 0) return [tool]
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`${tool} is not installed`)
  process.stderr.write(`skipped, as ${tool} is not installed: ${what}\n`)
  return []
}
