import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { languageTag } from '../../schemas/common.ts'
import type { Flow } from '../../schemas/flow.ts'
import { shownTexts } from '../engine/compile/localise-flow.ts'
import { type Console, exitCodes, type Run, UsageError } from './command.ts'
import { linesOfProblems, readFlowSource } from './input/flow-source.ts'
import { readNamedFile } from './input/read-text-file.ts'
import { countOf, say } from './output/plain-text.ts'
import { readPo, writePo } from './translation-files/po-file.ts'
import { withLocalization } from './translation-files/write-localization.ts'

const isLanguageTag = (text: string) => new RegExp(languageTag).test(text)

/** Text of `translations --help`. */
export const help = (): string => `Usage: flow-runtime translations export FLOW --language TAG [--out FILE]
       flow-runtime translations import FLOW FILE… [--language TAG]

Exchanges the texts of a flow with translators, as PO files (GNU gettext). export writes all that visitors read, with the
translations that there are; those of an earlier text are fuzzy. import puts what is translated into the localizations
of the flow, each with the hash of the text that it was made from, and leaves the rest of the file as it is.

  --language TAG  the language (BCP 47: fr, pt-BR); import takes that which a file names, unless it is given
  --out FILE      where the PO file goes; else the standard output

Exits with 0 when all is well, 1 when a file can not be taken, 2 when it was called in another way.
`

export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { language: { type: 'string' }, out: { type: 'string' } },
    allowPositionals: true,
  })
  const [action, path, ...files] = positionals
  const { language, out } = values
  if (language !== undefined && !isLanguageTag(language))
    throw new UsageError(`--language ${JSON.stringify(language)} is no language tag, such as fr or pt-BR`)
  if ((action !== 'export' && action !== 'import') || path === undefined)
    throw new UsageError(
      'translations needs what to do, and the file of a flow: export FLOW, or import FLOW FILE',
    )
  const source = await readFlowSource(path)
  const { flow, text } = source
  for (const line of linesOfProblems(source)) say(console.warn, line)
  if (!flow) return exitCodes.failed
  if (action === 'export') {
    if (language === undefined || files.length > 0)
      throw new UsageError('export needs one flow, and --language TAG')
    return exportTexts(flow, { language, out }, console)
  }
  if (files.length === 0) throw new UsageError('import needs the files of translators')
  return importFiles({ path, text, flow }, { files, language }, console)
}

async function exportTexts(
  flow: Flow,
  { language, out }: { readonly language: string; readonly out: string | undefined },
  { print, warn }: Console,
): Promise<number> {
  const { text, missing } = writePo(flow, tagIn(flow, language))
  if (out === undefined) print(text)
  else await writeFile(out, text)
  say(warn, `${countOf(missing, 'text is', 'texts are')} to be translated`)
  return exitCodes.fine
}

/** The tag as the flow has it already: case does not count. */
function tagIn({ localizations = {} }: Flow, language: string): string {
  return Object.keys(localizations).find((tag) => tag.toLowerCase() === language.toLowerCase()) ?? language
}

interface FlowFile {
  readonly path: string
  readonly text: string
  readonly flow: Flow
}

async function importFiles(
  { path, text, flow }: FlowFile,
  { files, language }: { readonly files: readonly string[]; readonly language: string | undefined },
  { warn, workingOn }: Console,
): Promise<number> {
  const shown = new Set(Array.from(shownTexts(flow), ({ key }) => key))
  const localizations = { ...flow.localizations }
  let changed = text
  for (const file of files) {
    workingOn?.(file)
    const { locale = language, texts } = parsePo(file, await readNamedFile(file))
    const tag = tagIn(flow, language ?? locale ?? '')
    if (!isLanguageTag(tag)) throw new UsageError(`${file} names no language: --language TAG does`)
    const known = new Map(Object.entries(localizations[tag] ?? {}))
    const taken = [...texts].filter(([key]) => shown.has(key))
    for (const [key, translation] of taken) known.set(key, translation)
    // In the order of the flow, and what it does not show behind that.
    const keys = [...new Set([...shown, ...known.keys()])].filter((key) => known.has(key))
    localizations[tag] = Object.fromEntries(keys.map((key) => [key, known.get(key) as string]))
    changed = withLocalization({ path, text: changed }, tag, localizations[tag])
    say(warn, `${file}: ${countOf(taken.length, 'translation')} into ${tag}`)
    for (const [key] of texts)
      if (!shown.has(key)) say(warn, `${file}: nothing that visitors read is at "${key}"`)
  }
  await writeFile(path, changed)
  return exitCodes.fine
}

function parsePo(file: string, text: string): ReturnType<typeof readPo> {
  try {
    return readPo(text)
  } catch (error) {
    throw new UsageError(`${file} is no PO file: ${(error as Error).message}`, { cause: error })
  }
}
