import type { Config } from './config.ts'
import { isLoopback } from './loopback.ts'

/** Warnings about the configuration, for the operator. */
export function configWarnings({
  host,
  previewToken,
  metricsToken,
  publicUrl,
  uploads,
}: Pick<Config, 'host' | 'previewToken' | 'metricsToken' | 'publicUrl' | 'uploads'>): readonly string[] {
  const warnings: string[] = []
  if (previewToken === undefined && !isLoopback(host)) {
    warnings.push(
      `Previews are open to everybody who reaches ${host}: set PREVIEW_TOKEN, or listen on 127.0.0.1 alone`,
    )
  }
  if (metricsToken === undefined && !isLoopback(host)) {
    warnings.push(`Metrics are open to everybody who reaches ${host}: set METRICS_TOKEN`)
  }
  if (uploads && publicUrl === undefined) {
    warnings.push('Uploads get the address that a request came to, whatever it was: set PUBLIC_URL')
  }
  return warnings
}
