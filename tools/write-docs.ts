import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationPage } from './configuration-page.ts'

const docs = join(import.meta.dirname, '../docs')

writeFileSync(join(docs, 'configuration.md'), configurationPage())
