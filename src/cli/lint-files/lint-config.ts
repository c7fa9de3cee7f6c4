import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { PartialObject, StringEnum } from '../../../schemas/common.ts'
import { Type } from '../../../schemas/type.ts'
import { createLazyValidator } from '../../definition/lazy-validator.ts'
import { toProblems } from '../../definition/problems.ts'
import { type LintOptions, levels } from '../../tooling/lint/rule.ts'
import { rulesByCode } from '../../tooling/lint/rules/index.ts'
import { UsageError } from '../command.ts'

const closed = { additionalProperties: false }

const Levels = Type.Record(Type.String(), StringEnum(levels))

/** Contents of a `.flowlint.json`. */
const LintConfig = PartialObject(
  {
    extends: StringEnum(['recommended', 'strict']),
    rules: Levels,
    overrides: Type.Array(Type.Object({ files: Type.String(), rules: Levels }, closed)),
  },
  closed,
)
type LintConfig = Static<typeof LintConfig>

const fileName = '.flowlint.json'

/** Says by which options a file is checked. */
export type ConfigFor = (file: string) => Promise<LintOptions>

/**
 * Finds the configuration of each file: the one that is named, else the nearest in its folder or above. Throws a
 * UsageError for one that is broken.
 */
export function createConfigReader(named: string | undefined): ConfigFor {
  const byFolder = new Map<string, Promise<LoadedConfig | undefined>>()
  const fixed = named === undefined ? undefined : load(resolve(named), true)
  fixed?.catch(() => undefined)

  function nearest(folder: string): Promise<LoadedConfig | undefined> {
    const known = byFolder.get(folder)
    if (known) return known
    const above = dirname(folder)
    const found = load(join(folder, fileName), false).then((config) => {
      if (config || above === folder) return config
      return nearest(above)
    })
    byFolder.set(folder, found)
    return found
  }

  return async (file) => {
    const path = resolve(file)
    const loaded = await (fixed ?? nearest(dirname(path)))
    return loaded ? optionsFor(path, loaded) : {}
  }
}

interface LoadedConfig {
  readonly folder: string
  readonly config: LintConfig
}

function optionsFor(path: string, { folder, config }: LoadedConfig): LintOptions {
  const inFolder = relative(folder, path).split(sep).join('/')
  const overrides = (config.overrides ?? []).filter(({ files }) => fitsGlob(inFolder, files))
  const rules = Object.assign({}, config.rules, ...overrides.map((override) => override.rules))
  return { base: config.extends, rules }
}

async function load(path: string, isNeeded: boolean): Promise<LoadedConfig | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (!isNeeded && error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} can not be read: ${error.message}`)
  })
  if (text === undefined) return undefined
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { disallowComments: false, allowTrailingComma: true })
  const [broken] = errors
  if (broken) {
    const line = text.slice(0, broken.offset).split('\n').length
    throw new UsageError(`${path}:${line} is not valid JSON: ${printParseErrorCode(broken.error)}`)
  }
  const config = checked(path, value)
  for (const code of codesIn(config)) {
    if (!rulesByCode.has(code))
      throw new UsageError(`${path}: no rule is called "${code}" (docs/rules.md lists all)`)
  }
  return { folder: dirname(path), config }
}

const validator = createLazyValidator({})(LintConfig)

function checked(path: string, value: unknown): LintConfig {
  if (validator.accepts(value)) return value as LintConfig
  const [problem] = toProblems(validator.errorsOf(value))
  throw new UsageError(`${path} ${problem?.pointer || '/'}: ${problem?.message}`)
}

const codesIn = ({ rules = {}, overrides = [] }: LintConfig) =>
  [rules, ...overrides.map((override) => override.rules)].flatMap((some) => Object.keys(some))

/**
 * Whether a path, with slashes, fits a pattern: `*` stands for anything but a slash, `**` for any folders, `?` for one
 * character. A pattern without a slash fits the name of a file in any folder.
 */
function fitsGlob(path: string, pattern: string): boolean {
  const parts = pattern.includes('/') ? pattern.replace(/^\.?\//, '').split('/') : ['**', pattern]
  return fitParts(path.split('/'), parts)
}

function fitParts(path: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return path.length === 0
  if (first === '**') return path.some((_, index) => fitParts(path.slice(index), rest)) || rest.length === 0
  const [name, ...below] = path
  return name !== undefined && fitsName(name, first) && fitParts(below, rest)
}

/** Goes back to the last `*` where the rest does not fit, so that it takes no more than their lengths multiplied. */
function fitsName(name: string, pattern: string): boolean {
  let [at, from, star, starAt] = [0, 0, -1, 0]
  while (at < name.length) {
    const wanted = pattern[from]
    if (wanted === '*') {
      star = from++
      starAt = at
    } else if (wanted === '?' || wanted === name[at]) {
      from++
      at++
    } else if (star !== -1) {
      from = star + 1
      at = ++starAt
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}
