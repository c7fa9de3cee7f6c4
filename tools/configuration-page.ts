import { listSettings, type Setting } from '../src/config/environment-schema.ts'
import { allParts, memoryShares, usualMemoryBytes } from '../src/config/memory-shares.ts'

const introduction = `# Configuration

Environment variables, checked when the service starts: every mistake is reported at once. \`--help\` prints this table,
and \`npm run docs\` writes this page from the schema in \`src/config/environment-schema.ts\`. A variable that is set to nothing counts as absent, save those of
tokens, keys and secrets (\`…_TOKEN\`, \`…_KEY\`, \`…_SECRET\`): an empty one is a mistake, and the service does not start.
Neither does it with a variable of a former version that is none any more: it says what replaces it.

A secret may come from a file instead, as Docker and Kubernetes mount them: \`ADMIN_TOKEN_FILE=/run/secrets/admin-token\` in place of
\`ADMIN_TOKEN\`. The line end at the end of the file does not count; a file that is not there, empty or larger than 64 KiB is a mistake. So it is with
${secretNames()}.
`

function secretNames(): string {
  const names = listSettings().flatMap(({ name, isSecret }) => (isSecret ? [`\`${name}\``] : []))
  return names.join(', ')
}

/** The page that lists every environment variable (\`docs/configuration.md\`). */
export function configurationPage(): string {
  return [introduction, ...tableOf(listSettings()), memory, ...tableOfShares(), ''].join('\n')
}

/** The README with the table of what everybody needs between its marks. */
export function readmeWithSettings(readme: string): string {
  const table = tableOf(listSettings().filter(({ isEssential }) => isEssential))
  return readme.replace(
    /(<!-- settings, by `npm run docs` -->\n).*(<!-- end of settings -->)/s,
    (_all, begin, end) => `${begin}${table.join('\n')}\n${end}`,
  )
}

function tableOf(settings: readonly Setting[]): readonly string[] {
  const rows = settings.map(
    ({ name, defaultText, description }) =>
      `| \`${name}\` | ${defaultText === '' ? '–' : `\`${defaultText}\``} | ${description} |`,
  )
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows]
}

const memory = `
## Memory

\`MEMORY_MAX_BYTES\` is divided among the stores of the process, and each keeps to its share: a flood of one kind takes no room from
another. A session or a draft that exceeds its share by itself is refused. What requests, answers, connections and
code take up besides has [bounds of its own](behaviour/walk.md#limits); a start warns where all of it is more than the process may have.
`

function tableOfShares(): readonly string[] {
  const rows = Object.values(memoryShares).map(
    ({ parts, holds }) =>
      `| ${parts} of ${allParts} | ${(usualMemoryBytes / allParts / 2 ** 20) * parts} MiB | ${holds} |`,
  )
  return ['| Share | By default | What it holds |', '|---|---|---|', ...rows]
}
