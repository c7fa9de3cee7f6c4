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

/** Written by every build that succeeds. */
const built = 'dist/bin/flow-runtime.js'

/** When anything of it was changed last, in milliseconds since 1970; a folder changes when a file comes or goes. */
function changedAt(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

function isStale() {
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  return sources.some((path) => existsSync(path) && changedAt(path) > mtimeMs)
}

if (isStale()) execSync('npm run build', { stdio: 'inherit' })
