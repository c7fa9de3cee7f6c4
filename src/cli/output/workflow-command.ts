import { withoutControls } from './plain-text.ts'

/** A line that GitHub Actions takes for a command: what it shows beside the file that its properties name. */
export function workflowCommand(
  command: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const written = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  )
  return `::${command} ${written.join(',')}::${escapeData(message)}\n`
}

/** The rest of the line is data, and a line end would begin another command. */
function escapeData(text: string): string {
  return withoutControls(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
