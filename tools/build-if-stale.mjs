import { execSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the build is made from. */
const sources = [
  'src',
  'schemas',
  'client',
  'tools',
  'pages',
  'tsconfig.json',
  'vite.config.ts',
  'package-lock.json',
]

/** What every build that succeeds has written, the pages last. */
const built = ['dist/bin/flow-runtime.js', 'dist/pages/embed.js']

/** When anything of it was changed last, in milliseconds since 1970; a folder changes when a file comes or goes. */
function changedAt(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

function isStale() {
  if (!built.every(existsSync)) return true
  const builtAt = Math.min(...built.map((path) => statSync(path).mtimeMs))
  return sources.some((path) => existsSync(path) && changedAt(path) > builtAt)
}

if (isStale()) execSync('npm run build', { stdio: 'inherit' })
