interface Metric {
  readonly name: string
  readonly type: string
  readonly help: string
  /** Label names, each with the values that were seen. */
  readonly labels: Map<string, Set<string>>
}

/** Labels whose values are listed elsewhere, or are too many. */
const unlisted = ['route', 'method', 'status', 'flow', 'version', 'node', 'backend']

/** Every series in the text format of Prometheus: what stands before its value. */
export function seriesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))
}

/** The value of a series; undefined when there is none. */
export function countOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

function metricsIn(text: string): Metric[] {
  const helps = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)]
  return helps.map(([, name = '', help = '']) => {
    const [, type = ''] = new RegExp(`^# TYPE ${name} (.*)$`, 'm').exec(text) ?? []
    const labels = new Map<string, Set<string>>()
    for (const [, part = ''] of text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'gm'))) {
      for (const [, label = '', value = ''] of part.matchAll(/(\w+)="([^"]*)"/g)) {
        if (label !== 'le') labels.set(label, (labels.get(label) ?? new Set()).add(value))
      }
    }
    return { name, type, help, labels }
  })
}

/** The rows of the table of the service's own metrics, as the documentation shows it. */
export function metricsRows(text: string): string[] {
  return metricsIn(text)
    .filter(({ name }) => name.startsWith('flow_runtime_'))
    .map(({ name, type, help, labels }) => {
      const told = [...labels].map(([label, values]) => `\`${label}\`${listed(label, values)}`)
      return `| \`${name}\` | ${type} | ${told.join('; ') || '–'} | ${help} |`
    })
}

function listed(label: string, values: ReadonlySet<string>): string {
  return unlisted.includes(label) ? '' : `: ${[...values].map((value) => `\`${value}\``).join(', ')}`
}
