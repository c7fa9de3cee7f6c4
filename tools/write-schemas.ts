import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaFile, schemaFileNames } from '../src/tooling/schema-files/schema-files.ts'

const folder = join(import.meta.dirname, '../dist/schemas')

mkdirSync(folder, { recursive: true })
for (const name of schemaFileNames) writeFileSync(join(folder, name), `${schemaFile(name)}\n`)
