import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypeScript from 'openapi-typescript'
import { buildApp } from '../src/compose/app.ts'
import { composeService } from '../src/compose/composition-root.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { createLogger } from '../src/lib/logger.ts'

const file = join(import.meta.dirname, '../client/wire-types.ts')

const head = '// `npm run types` writes this file from the OpenAPI document of the service.\n'

/** Types of what crosses the wire, made from the description that the service gives of itself. */
async function clientTypes(): Promise<string> {
  const setup = await loadConfig({})
  const assembly = await composeService(setup, createLogger('silent'))
  const app = await buildApp(assembly.dependencies)
  try {
    const { body } = await app.inject('/openapi.json')
    return head + (await openapiTypeScript(JSON.parse(body), { commentHeader: '' }))
  } finally {
    await app.close()
    await assembly.close()
  }
}

const types = await clientTypes()
// The build is up to date as long as nothing that it is made from was written since.
if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types)
