import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationPage, readmeWithSettings } from './configuration-page.ts'
import { rulesPage } from './rules-page.ts'

const docs = join(import.meta.dirname, '../docs')

writeFileSync(join(docs, 'configuration.md'), configurationPage())
writeFileSync(join(docs, 'rules.md'), rulesPage())
const readme = join(docs, '../README.md')
writeFileSync(readme, readmeWithSettings(readFileSync(readme, 'utf8')))
